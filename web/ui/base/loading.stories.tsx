import type { Stories } from '../../catalogue/stories.ts'
import { ProgressBar, Skeleton, Spinner } from './loading.tsx'

export default {
  rotiță: () => <Spinner />,
  'în locul conținutului': () => (
    <div className="grid gap-2">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-4 w-64" />
    </div>
  ),
  'bară cu procente': () => <ProgressBar label="buletin.pdf" value={40} />,
  'bară cu număr': () => <ProgressBar label="Import" value={6} valueText="12 din 200" />,
  'bară fără sfârșit știut': () => <ProgressBar label="Se verifică fișierul" value={null} />,
  'bară terminată': () => <ProgressBar label="buletin.pdf" value={100} tone="success" />,
  'bară întreruptă': () => <ProgressBar label="buletin.pdf" value={70} tone="danger" />,
} satisfies Stories
