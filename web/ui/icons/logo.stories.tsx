import type { Stories } from '../../catalogue/stories.ts'
import { LogoMark, Wordmark } from './logo.tsx'

export default {
  semn: () => (
    <div className="flex items-end gap-3">
      <LogoMark size={20} />
      <LogoMark />
      <LogoMark size={64} />
    </div>
  ),
  'cu nume': () => <Wordmark />,
  'cu nume, mare': () => <Wordmark className="text-3xl" />,
} satisfies Stories
