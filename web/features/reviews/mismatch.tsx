import { counted } from '../../../shared/romania/romanian.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { Upload } from './upload.queries.ts'

type Mismatches = Upload['mismatches']

/** Warns that a file contains another person's CNP, before the verdict. */
export function MismatchAlert({
  mismatches,
  onShow,
}: {
  mismatches: Mismatches
  onShow: (fileId: string) => void
}) {
  return (
    <Alert tone="danger" title="Alt CNP în document" icon="user-x">
      <MismatchList mismatches={mismatches} onShow={onShow} />
    </Alert>
  )
}

/** Lists the CNPs of other people once each, with the files that contain them. */
export function MismatchList({
  mismatches,
  onShow,
}: {
  mismatches: Mismatches
  onShow?: (fileId: string) => void
}) {
  return (
    <ul className="grid gap-1">
      {[...Map.groupBy(mismatches, ({ cnpMasked }) => cnpMasked)].map(([cnpMasked, found]) => {
        // Two CNPs of one file may be equal when masked.
        const files = [...new Map(found.map((each) => [each.fileId, each])).values()]
        const cnp = <span className="font-medium tabular-nums">{cnpMasked}</span>
        const [first, ...rest] = files
        return (
          <li key={cnpMasked} className="break-words">
            {first && rest.length === 0 ? (
              <>
                {cnp} în <FileName fileId={first.fileId} name={first.fileName} onShow={onShow} />
              </>
            ) : (
              <details>
                <summary className="cursor-pointer rounded-xs">
                  {cnp} în {counted(files.length, 'fișier', 'fișiere')}
                </summary>
                <ul className="mt-1 grid max-h-40 gap-1 overflow-y-auto ps-4">
                  {files.map((file) => (
                    <li key={file.fileId}>
                      <FileName fileId={file.fileId} name={file.fileName} onShow={onShow} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        )
      })}
      {mismatches.some(({ isCut }) => isCut) && (
        <li>Într-un fișier sunt peste 100 de CNP-uri; sunt arătate primele.</li>
      )}
    </ul>
  )
}

/** A file's name; a button if the file can be shown. */
export function FileName({
  fileId,
  name,
  onShow,
}: {
  fileId: string
  name: string
  onShow: ((fileId: string) => void) | undefined
}) {
  if (!onShow) return name
  return (
    <button
      type="button"
      className="rounded-xs text-start underline underline-offset-2"
      onClick={() => onShow(fileId)}
    >
      {name}
    </button>
  )
}
