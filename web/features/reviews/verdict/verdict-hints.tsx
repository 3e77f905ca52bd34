import { counted } from '../../../../shared/romania/romanian.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import type { Upload } from '../upload.queries.ts'
import type { Review } from '../use-review.ts'

/** What the reviewer should know before the verdict: too early, the category's policy, files not seen yet. */
export function VerdictHints({ upload: { files }, review }: { upload: Upload; review: Review }) {
  const { isTooEarly, isFirstShown, requirements } = review
  const seenCount = review.files.openedIds.size
  return (
    <>
      {isTooEarly && (
        <Hint>
          {isFirstShown
            ? 'Documentul abia a apărut: uită-te la el, apoi apasă din nou A.'
            : 'Documentul încă se încarcă: apasă din nou A după ce apare.'}
        </Hint>
      )}
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
