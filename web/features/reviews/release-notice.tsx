import { useMutation } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { describeRelease } from '../uploads/release-time.ts'
import { useNow } from '../uploads/use-now.ts'
import { describeNotShown } from './not-shown.tsx'
import { RELEASE_UPLOAD, RETURN_UPLOAD, type Upload } from './upload.queries.ts'
import type { Verdict } from './verdict/use-verdict.ts'

/** Shows when an accepted upload will be released; a reviewer can release it now or return it to review. */
export function ReleaseNotice({
  upload,
  changeOwn,
  onReload,
}: {
  upload: Upload
  /** Runs a change that the user makes on this page. */
  changeOwn: Verdict['changeOwn']
  onReload: () => Promise<unknown>
}) {
  const now = useNow()
  const [releaseUpload, releasing] = useMutation(RELEASE_UPLOAD)
  const [returnUpload, returning] = useMutation(RETURN_UPLOAD)
  const { id, version, number, releaseAt } = upload
  const isBusy = releasing.loading || returning.loading

  const attempt = async (change: () => Promise<number | undefined>, failure: string) => {
    if (isBusy) return
    try {
      await changeOwn(change)
    } catch (error) {
      showToast({ tone: 'error', title: failure, description: errorMessage(error) })
      await onReload().catch(() => undefined)
    }
  }
  const release = () =>
    attempt(async () => {
      const { data } = await releaseUpload({ variables: { id, version } })
      showToast({
        tone: 'success',
        title: `Nr. ${number} a fost eliberată`,
        description: describeAudience(upload),
      })
      return data?.releaseUpload.version
    }, 'Încărcarea nu a fost eliberată')
  const returnToReview = () =>
    attempt(async () => {
      const { data } = await returnUpload({ variables: { id, version } })
      showToast({ tone: 'success', title: `Nr. ${number} este din nou de verificat` })
      return data?.returnUpload.version
    }, 'Încărcarea nu a fost trimisă înapoi')

  return (
    <Alert
      tone="info"
      icon="clock"
      title={describeRelease(releaseAt, now)}
      actions={
        upload.can.release && (
          <>
            <Button
              variant="primary"
              icon="paper-plane"
              isPending={releasing.loading}
              onPress={() => void release()}
            >
              {releaseAt ? 'Eliberează acum' : 'Eliberează'}
            </Button>
            <Button icon="undo" isPending={returning.loading} onPress={() => void returnToReview()}>
              Înapoi la verificare
            </Button>
          </>
        )
      }
    >
      Este acceptată, dar nimeni din afară nu o vede încă.
    </Alert>
  )
}

function describeAudience(upload: Upload): string | undefined {
  if (!upload.institution) return undefined
  const { name, isSuspended } = upload.institution
  return (
    describeNotShown(upload) ??
    (isSuspended ? `${name} este suspendată: o vede după reactivare.` : `O vede ${name}.`)
  )
}
