import { counted } from '../../../../shared/romania/romanian.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import type { Upload } from '../upload.queries.ts'
import type { Review } from '../use-review.ts'

/** Says that the document had not been shown long enough when the reviewer tried to accept. */
export function TooEarlyHint({ review: { isTooEarly, isFirstShown } }: { review: Review }) {
  if (!isTooEarly) return null
  return (
    <Hint>
      {isFirstShown
        ? 'Documentul abia a apărut: uită-te la el, apoi apasă din nou A.'
        : 'Documentul încă se încarcă: apasă din nou A după ce apare.'}
    </Hint>
  )
}

/** What the reviewer should know before the verdict: the category's policy, files not seen yet. */
export function VerdictHints({ upload: { files }, review }: { upload: Upload; review: Review }) {
  const { requirements } = review
  const seenCount = review.files.openedIds.size
  return (
    <>
      {requirements.length > 0 && <Hint>{requirements.join(' ')}</Hint>}
      {seenCount < files.length && files.length > 1 && (
        <p className="text-sm text-muted">
          Ai văzut {seenCount} din {counted(files.length, 'fișier', 'fișiere')}.
        </p>
      )}
    </>
  )
}

function Hint({ children }: { children: string }) {
  return (
    <p role="status" className="flex gap-2 text-sm">
      <Icon name="info" size={18} className="mt-px text-muted" />
      {children}
    </p>
  )
}
