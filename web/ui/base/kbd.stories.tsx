import type { Stories } from '../../catalogue/stories.ts'
import { Kbd } from './kbd.tsx'

export default {
  'o tastă': () => <Kbd>A</Kbd>,
  'mai multe, în propoziție': () => (
    <p>
      Caută cu <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>.
    </p>
  ),
} satisfies Stories
