import { counted } from '../../../shared/romania/romanian.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { RejectedFile } from './file-checks.ts'

/** More names for one reason are folded away. */
const MAX_NAMES = 3

/** The chosen files that were not added, grouped by reason. */
export function RejectedFiles({ rejected }: { rejected: readonly RejectedFile[] }) {
  return (
    <Alert
      tone="warning"
      isLive
      title={`${counted(rejected.length, 'fișier nu a fost adăugat', 'fișiere nu au fost adăugate')}`}
    >
      <ul className="grid gap-0.5">
        {[...Map.groupBy(rejected, ({ reason }) => reason)].map(([reason, files]) => (
          <li key={reason} className="break-words">
            <RejectedGroup reason={reason} names={files.map(({ name }) => name)} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function RejectedGroup({ reason, names }: { reason: string; names: readonly string[] }) {
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
