import type { Stories } from '../../catalogue/stories.ts'
import { Badge } from '../page/status-pill.tsx'
import { IconButton } from './button.tsx'
import { Card } from './card.tsx'

export default {
  simplu: () => <Card>Fără titlu, doar conținut.</Card>,
  'cu titlu': () => <Card title="Date de contact">Strada Lungă nr. 5, Brașov</Card>,
  'cu număr și acțiuni': () => (
    <Card title="Trimiteri" meta={<Badge>12</Badge>} actions={<IconButton icon="plus" label="Adaugă" />}>
      Ultima este de ieri.
    </Card>
  ),
  'până la margini': () => (
    <Card title="Fișiere" flush>
      <ul className="divide-y divide-line">
        <li className="px-4 py-3">buletin.pdf</li>
        <li className="px-4 py-3">radiografie.dcm</li>
      </ul>
    </Card>
  ),
} satisfies Stories
