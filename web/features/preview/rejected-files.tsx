import { describeRejection } from './file-status.ts'
import type { PreviewFile } from './preview-controls.ts'

/** Names each file that the automatic check has rejected, with the reason. */
export function RejectedFiles({
  files,
}: {
  files: readonly Pick<PreviewFile, 'id' | 'name' | 'facts' | 'scanResult'>[]
}) {
  const rejected = files.flatMap((file) => {
    const reason = describeRejection(file)
    return reason === null ? [] : { ...file, reason }
  })
  if (rejected.length === 0) return 'Un fișier nu a trecut controlul.'
  return (
    <ul className="grid min-w-0 gap-1.5">
      {rejected.map(({ id, name, reason }) => (
        <li key={id} className="wrap-anywhere">
          <span className="font-medium">{name}</span>: {reason}
        </li>
      ))}
    </ul>
  )
}
