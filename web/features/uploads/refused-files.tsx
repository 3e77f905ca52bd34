import { counted } from '../../../shared/romanian.ts'
import { Alert } from '../../ui/alert.tsx'
import type { Refused } from './file-checks.ts'

export function RefusedFiles({ refused }: { refused: readonly Refused[] }) {
  return (
    <Alert
      tone="warning"
      isLive
      title={`${counted(refused.length, 'fișier nu a fost adăugat', 'fișiere nu au fost adăugate')}`}
    >
      <ul className="grid gap-0.5">
        {refused.map(({ name, reason }) => (
          <li key={name} className="break-words">
            {name}: {reason}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
