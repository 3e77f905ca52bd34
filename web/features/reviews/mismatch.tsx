import { Alert } from '../../ui/alert.tsx'
import type { Upload } from './upload.queries.ts'

type Mismatches = Upload['mismatches']

/** A file names somebody else than the patient: said before anybody reaches for the verdict. */
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

/** Who is named where. */
export function MismatchList({
  mismatches,
  onShow,
}: {
  mismatches: Mismatches
  onShow?: (fileId: string) => void
}) {
  return (
    <ul className="grid gap-1">
      {mismatches.map(({ fileId, fileName, cnpMasked }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two numbers of a file may have the same mask, and the order is fixed
        <li key={`${fileId} ${place}`} className="break-words">
          <span className="font-medium tabular-nums">{cnpMasked}</span> în{' '}
          {onShow ? (
            <button
              type="button"
              className="rounded-xs text-start underline underline-offset-2"
              onClick={() => onShow(fileId)}
            >
              {fileName}
            </button>
          ) : (
            fileName
          )}
        </li>
      ))}
      {mismatches.some(({ isCut }) => isCut) && (
        <li>Într-un fișier sunt peste 100 de CNP-uri; sunt arătate primele.</li>
      )}
    </ul>
  )
}
