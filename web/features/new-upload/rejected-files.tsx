import { counted } from '../../../shared/romania/romanian.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { RejectedFile } from './file-checks.ts'

/** Above this, the names of one reason are shown on request only. */
const MAX_NAMES = 3

/** Which of the chosen files were left out, one line a reason. */
export function RejectedFiles({ refused }: { refused: readonly RejectedFile[] }) {
  return (
    <Alert
      tone="warning"
      isLive
      title={`${counted(refused.length, 'fișier nu a fost adăugat', 'fișiere nu au fost adăugate')}`}
    >
      <ul className="grid gap-0.5">
        {[...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, files]) => (
          <li key={reason} className="break-words">
            <RefusedGroup reason={reason} names={files.map(({ name }) => name)} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function RefusedGroup({ reason, names }: { reason: string; names: readonly string[] }) {
  const all = names.join(', ')
  if (names.length <= MAX_NAMES) return `${all}: ${reason}`
  return (
    <>
      {counted(names.length, 'fișier', 'fișiere')}: <span>{reason}</span>
      <details>
        <summary className="w-fit cursor-pointer underline">Vezi numele</summary>
        <p className="max-h-40 overflow-y-auto">{all}</p>
      </details>
    </>
  )
}
