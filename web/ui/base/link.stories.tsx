import type { Stories } from '../../catalogue/stories.ts'
import { ExternalLink, PlainLink, TextLink } from './link.tsx'

export default {
  'în propoziție': () => (
    <p>
      Rezultatele stau în <TextLink to="/">lista de trimiteri</TextLink> a instituției.
    </p>
  ),
  'în afara produsului': () => (
    <p>
      Întrebări la <ExternalLink href="mailto:ajutor@exemplu.test">ajutor@exemplu.test</ExternalLink>.
    </p>
  ),
  'fără înfățișare proprie': () => <PlainLink to="/">Popescu Ana-Maria</PlainLink>,
} satisfies Stories
