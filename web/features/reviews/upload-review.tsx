import { Card } from '../../ui/base/card.tsx'
import { LedgerCard } from '../deliveries/delivery-ledger.tsx'
import { CorrectMenu } from './correct/correct-menu.tsx'
import { VersionNotice } from './correct/version-notice.tsx'
import { FindingsAlert } from './findings.tsx'
import { IncidentNotices } from './incident-notices.tsx'
import { NotShownNotice } from './not-shown.tsx'
import { RecallNotice } from './recall-notice.tsx'
import { ReleaseNotice } from './release-notice.tsx'
import { RemovedFiles } from './removed-files.tsx'
import { ReviewDialogs } from './review-dialogs.tsx'
import { ReviewFiles } from './review-files.tsx'
import { ReviewHistory } from './review-history.tsx'
import { AskedQuestions } from './surroundings/asked-questions.tsx'
import type { Upload } from './upload.queries.ts'
import { PatientCard, UploadDetailsCard } from './upload-details.tsx'
import { UploadHeading } from './upload-heading.tsx'
import { UploadNotice, WithdrawButton } from './upload-notice.tsx'
import { type Review, useReview } from './use-review.ts'
import { ChangedAlert, ClosedAlert, VerdictBar } from './verdict/verdict-bar.tsx'
import { TooEarlyHint, VerdictHints } from './verdict/verdict-hints.tsx'

type Props = { upload: Upload; review: Review }

/** The document, the data and the verdict of one upload. Must be mounted again for each upload. */
export function UploadReview({
  upload,
  onReload,
  onNextLoaded,
}: {
  upload: Upload
  onReload: () => Promise<unknown>
  /** Called with the id of the next upload when it is preloaded. */
  onNextLoaded: (id: string) => void
}) {
  const review = useReview(upload, onReload, onNextLoaded)
  return (
    <div className="grid gap-4 lg:h-[calc(100dvh-3.5rem)] lg:min-h-144 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[minmax(0,auto)_minmax(10rem,1fr)] lg:gap-x-5">
      <div
        data-beside
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 lg:-m-1 lg:col-start-2 lg:relative lg:min-h-0 lg:overflow-y-auto lg:p-1"
      >
        <UploadHeading upload={upload} onHelp={() => review.dialog.open('keys')} />
        <VerdictSection upload={upload} review={review} />
      </div>
      <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:min-h-0">
        <ReviewFiles upload={upload} review={review} />
      </div>
      <div
        data-beside
        className="grid min-w-0 content-start gap-4 max-lg:pb-16 lg:-mx-1 lg:px-1 lg:pb-1 lg:col-start-2 lg:relative lg:min-h-0 lg:overflow-y-auto"
      >
        <DetailsSection upload={upload} review={review} />
      </div>
      <ReviewDialogs upload={upload} review={review} />
    </div>
  )
}

/** The verdict, the patient, and everything else to know before the verdict. */
function VerdictSection({ upload, review }: Props) {
  const { verdict, dialog, files, onReload } = review
  return (
    <>
      {review.canDecide && (
        <>
          <VerdictBar upload={upload} review={review} />
          <TooEarlyHint review={review} />
        </>
      )}
      {verdict.isChanged && (
        <ChangedAlert first={upload.firstAcceptance} onSeen={() => verdict.acknowledge()} />
      )}
      {verdict.isClosed && <ClosedAlert upload={upload} onNext={review.next} />}
      {/* Above the notices, which may be long: on a low screen they would push the patient out of sight. */}
      <PatientCard upload={upload} onAssign={() => dialog.open('edit')} onShow={files.select} />
      <NotShownNotice upload={upload} />
      {review.canDecide && <VerdictHints upload={upload} review={review} />}
      {upload.state === 'accepted' && (
        <ReleaseNotice upload={upload} changeOwn={verdict.changeOwn} onReload={onReload} />
      )}
      <IncidentNotices incidents={upload.incidents} />
      <RecallNotice recalls={upload.recalls} />
      <FindingsAlert files={upload.files} onShow={files.select} />
      <VersionNotice upload={upload} />
      <UploadNotice
        upload={upload}
        onEdit={() => dialog.open('edit')}
        onAddFiles={() => dialog.open('add-files')}
        changeOwn={verdict.changeOwn}
        onReload={onReload}
      />
    </>
  )
}

/** The questions of institutions, the details, the removed files and the earlier verdicts. */
function DetailsSection({ upload, review: { verdict, dialog, onReload } }: Props) {
  return (
    <>
      <AskedQuestions upload={upload} />
      <UploadDetailsCard
        upload={upload}
        onEdit={() => dialog.open('edit')}
        corrections={<CorrectMenu upload={upload} open={dialog.open} />}
      />
      <RemovedFiles
        files={upload.removedFiles}
        canRestore={upload.can.removeFiles}
        onRestored={verdict.acknowledge}
      />
      {upload.reviews.length > 0 && (
        <Card title="Verdicte">
          <ReviewHistory reviews={upload.reviews} />
        </Card>
      )}
      {upload.state !== 'receiving' && <LedgerCard uploadId={upload.id} />}
      {upload.can.withdraw && (
        <WithdrawButton upload={upload} changeOwn={verdict.changeOwn} onReload={onReload} />
      )}
    </>
  )
}
