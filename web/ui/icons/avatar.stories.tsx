import type { Stories } from '../../catalogue/stories.ts'
import { Avatar } from './avatar.tsx'

export default {
  mărimi: () => (
    <div className="flex items-center gap-3">
      <Avatar name="Ana-Maria Popescu" size="sm" />
      <Avatar name="Ana-Maria Popescu" />
      <Avatar name="Ana-Maria Popescu" size="lg" />
    </div>
  ),
  'un singur cuvânt': () => <Avatar name="Șerban" />,
  'lângă nume': () => (
    <p className="flex items-center gap-2.5">
      <Avatar name="Ștefănescu-Țurcanu Ioana" />
      Ștefănescu-Țurcanu Ioana
    </p>
  ),
} satisfies Stories
