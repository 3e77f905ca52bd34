import { Button, LinkButton } from '../../../ui/base/button.tsx'
import { Kbd } from '../../../ui/base/kbd.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import type { Upload } from '../upload.queries.ts'
import type { Review } from '../use-review.ts'

/**
 * The buttons to accept, reject and skip. Above the upload's data on wide screens, otherwise at the bottom of
 * the screen.
 */
export function VerdictBar({ upload, review }: { upload: Upload; review: Review }) {
  const { isShownLongEnough, isDeciding, isChanged } = review.verdict
  const isEmpty = upload.files.length === 0
  return (
    <div
      role="toolbar"
      aria-label="Verdict"
      className="verdict-bar flex gap-2 max-lg:layer-bar max-lg:fixed max-lg:inset-x-0 max-lg:bottom-14 max-lg:border-t max-lg:border-line max-lg:bg-canvas max-lg:p-2 max-lg:mb-[env(safe-area-inset-bottom)]"
    >
      {!review.cannotAccept && (
        <Button
          variant="primary"
          icon="check"
          className="flex-1"
          isPending={isDeciding}
          isDisabled={isChanged || isEmpty || !(isShownLongEnough || isDeciding)}
          onPress={review.accept}
        >
          <KeyLabel label="Acceptă" shortcut="A" />
        </Button>
      )}
      <Button className="flex-1" isDisabled={isChanged || isDeciding} onPress={review.reject}>
        <KeyLabel label="Respinge" shortcut="R" />
      </Button>
      {upload.nextInReview && (
        <Button isDisabled={isDeciding} onPress={review.next}>
          <KeyLabel label="Sari" shortcut="N" />
        </Button>
      )}
    </div>
  )
}

/** Shows the key only where there is a keyboard, and room for it. */
function KeyLabel({ label, shortcut }: { label: string; shortcut: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      {label}
      <span aria-hidden="true" className="max-sm:hidden lg:max-xl:hidden pointer-coarse:hidden">
        <Kbd>{shortcut}</Kbd>
      </span>
    </span>
  )
}

/** Warns that a colleague has changed the upload while the user was reviewing it. */
export function ChangedAlert({
  first,
  onSeen,
}: {
  /** The first of two acceptances, which may be the only change. */
  first: Upload['firstAcceptance']
  onSeen: () => void
}) {
  return (
    <Alert
      tone="warning"
      isLive
      title="Încărcarea s-a schimbat"
      actions={
        <Button icon="check" onPress={onSeen}>
          Am văzut, continuă
        </Button>
      }
    >
      {/* The reader may have changed it too, as with a move to another patient. */}
      {first
        ? `${first.reviewerName} a acceptat-o în timp ce o citeai`
        : 'A fost modificată de când ai deschis-o'}
      . Aici este cum arată acum: uită-te din nou la pacient și la date înainte de verdict.
    </Alert>
  )
}

/** Reports that the upload has left the review: who decided, and the link to the next upload. */
export function ClosedAlert({ upload, onNext }: { upload: Upload; onNext: () => void }) {
  return (
    <Alert
      tone="info"
      isLive
      title={describeClosing(upload)}
      actions={
        upload.nextInReview ? (
          <Button onPress={onNext}>
            <KeyLabel label="Treci la următoarea" shortcut="N" />
          </Button>
        ) : (
          <LinkButton to="/uploads" icon="arrow-left">
            Înapoi la verificare
          </LinkButton>
        )
      }
    >
      Nu mai așteaptă verdictul tău.
    </Alert>
  )
}

const DECIDED: ReadonlySet<string> = new Set(['rejected', 'accepted', 'released'])

function describeClosing({ state, reviews }: Upload): string {
  const last = reviews.find(({ undoneAt }) => !undoneAt)
  if (state === 'withdrawn') return 'Încărcarea a fost retrasă acum'
  if (!last || !DECIDED.has(state)) return 'Încărcarea nu mai este de verificat'
  if (last.isAutomatic) return 'Încărcarea a fost acceptată automat acum'
  return `${last.reviewerName} a ${last.verdict === 'accepted' ? 'acceptat-o' : 'respins-o'} acum`
}
