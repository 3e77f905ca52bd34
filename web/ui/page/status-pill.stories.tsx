import type { Stories } from '../../catalogue/stories.ts'
import type { IconName } from '../base/icon.tsx'
import { Badge, StatusPill, type Tone } from './status-pill.tsx'

const states: [Tone, IconName, string][] = [
  ['neutral', 'pending', 'Ciornă'],
  ['accent', 'review', 'De verificat'],
  ['info', 'upload', 'Trimis'],
  ['success', 'check-circle', 'Publicat'],
  ['warning', 'flag', 'Nepotrivire'],
  ['danger', 'ban', 'Respins'],
]

export default {
  stări: () => (
    <div className="flex flex-wrap gap-2">
      {states.map(([tone, icon, name]) => (
        <StatusPill key={tone} tone={tone} icon={icon}>
          {name}
        </StatusPill>
      ))}
    </div>
  ),
  numere: () => (
    <div className="flex flex-wrap gap-2">
      {states.map(([tone], index) => (
        <Badge key={tone} tone={tone}>
          {10 ** index}
        </Badge>
      ))}
    </div>
  ),
  'mai lungă decât locul': () => (
    <div className="w-40">
      <StatusPill icon="clock">Așteaptă răspunsul instituției</StatusPill>
    </div>
  ),
} satisfies Stories
