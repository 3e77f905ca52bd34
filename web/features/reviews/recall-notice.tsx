import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { ActLines } from '../incidents/openings.tsx'
import type { Upload } from './upload.queries.ts'

/** Which institutions had opened an upload before it was withdrawn or replaced, and which of them have acknowledged it. */
export function RecallNotice({ recalls }: Pick<Upload, 'recalls'>) {
  if (recalls.length === 0) return null
  const open = recalls.filter(({ acknowledgedAt }) => acknowledgedAt === null).length
  return (
    <Alert
      tone={open > 0 ? 'warning' : 'success'}
      title={
        open > 0
          ? `Fusese deschisă: ${counted(open, 'instituție nu a luat', 'instituții nu au luat')} încă la cunoștință`
          : 'Fusese deschisă: toate instituțiile au luat la cunoștință'
      }
    >
      <ul className="grid gap-2">
        {recalls.map(({ id, institutionName, openings, acknowledgedAt, acknowledgedByName }) => (
          <li key={id}>
            <p className="break-words">
              <span className="font-medium">{institutionName}</span>:{' '}
              {acknowledgedAt
                ? `a luat la cunoștință la ${formatDateTime(acknowledgedAt)}${acknowledgedByName ? `, prin ${acknowledgedByName}` : ''}`
                : 'nu a luat încă la cunoștință'}
            </p>
            <details>
              <summary className="cursor-pointer text-muted">Cine a deschis-o</summary>
              {openings.map(({ name, acts }) => (
                <div key={`${name} ${acts[0]?.firstAt}`} className="mt-1">
                  <p className="break-words">{name}</p>
                  <ActLines acts={acts} />
                </div>
              ))}
            </details>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
