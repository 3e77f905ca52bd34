import { useMutation, useQuery } from '@apollo/client/react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { ANSWER_DELETION_REQUEST, DELETION_REQUESTS, type DeletionRequest } from './incidents.queries.ts'

/** The requests to the user's institutions to delete a result, above the inbox. */
export function DeletionRequests() {
  const { data, refetch } = useQuery(DELETION_REQUESTS)
  // Such an event names no upload, so that everything is loaded again.
  useLiveUploads((ids) => {
    if (ids === null) void refetch().catch(() => undefined)
  })
  const requests = data?.deletionRequests ?? []
  if (requests.length === 0) return null
  return (
    <section aria-label="Cereri de ștergere" className="mb-5 grid gap-3">
      {requests.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </section>
  )
}

function Request({ request }: { request: DeletionRequest }) {
  const { id, uploadNumber, releasedAt, institutionName, answeredAt, answeredByName } = request
  const [answer, { loading }] = useMutation(ANSWER_DELETION_REQUEST)
  const confirm = async () => {
    try {
      await answer({ variables: { id } })
      showToast({ tone: 'success', title: 'Ați confirmat ștergerea. Vă mulțumim.' })
    } catch (error) {
      showToast({ tone: 'error', title: 'Confirmarea nu a fost trimisă', description: errorMessage(error) })
    }
  }
  const result = `rezultatul nr. ${uploadNumber}`
  if (answeredAt) {
    return (
      <Alert tone="success" title={`Ștergerea este confirmată: ${result}`}>
        {formatDateTime(answeredAt)}
        {answeredByName && `, ${answeredByName}`}
      </Alert>
    )
  }
  return (
    <Alert
      tone="danger"
      title={`Vă rugăm să ștergeți ${result}`}
      actions={
        <Button variant="primary" icon="check" isPending={loading} onPress={() => void confirm()}>
          Am șters
        </Button>
      }
    >
      Eliberat din greșeală pe {formatDateTime(releasedAt)} pentru {institutionName}. Ștergeți fișierele
      descărcate și copiile lor, tipărite sau trimise mai departe, apoi confirmați.
    </Alert>
  )
}
