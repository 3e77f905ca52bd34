import type { Stories } from '../../catalogue/stories.ts'
import { FailureNotice, Notice } from './notice.tsx'

export default {
  informare: () => <Notice tone="info">Ai ieșit din cont.</Notice>,
  greșeală: () => <FailureNotice>Adresa sau parola nu este corectă.</FailureNotice>,
} satisfies Stories
