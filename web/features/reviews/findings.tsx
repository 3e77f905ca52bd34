import { Alert } from '../../ui/feedback/alert.tsx'
import { describeContent } from '../preview/file-status.ts'
import { FileName } from './comparison/file-name.tsx'
import type { Upload } from './upload.queries.ts'

/** Warns of what the accepted files contain besides the document, before the verdict. */
export function FindingsAlert({
  files,
  onShow,
}: {
  files: Upload['files']
  onShow: (fileId: string) => void
}) {
  const marked = files.filter((file) => file.scanResult !== 'refused' && describeContent(file) !== null)
  if (marked.length === 0) return null
  return (
    <Alert tone="warning" title="De verificat în fișiere" icon="shield-alert">
      <ul className="grid gap-1.5">
        {marked.map((file) => (
          <li key={file.id} className="break-words">
            <FileName fileId={file.id} name={file.name} onShow={files.length > 1 ? onShow : undefined} />{' '}
            {describeContent(file)}.
          </li>
        ))}
      </ul>
    </Alert>
  )
}
