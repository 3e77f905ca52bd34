import { useApolloClient, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { ACCESS_REFUSAL_NAMES } from '../../../shared/requests/access-requests.ts'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { AccessRequestStatePill } from './access-request-state.tsx'
import { ACCESS_REQUEST, ACCESS_REQUEST_STATE, type AccessRequest } from './access-requests.queries.ts'
import { ChoosePatient, type ChosenPatient } from './choose-patient.tsx'
import { AcceptDialog, RefuseDialog } from './decision-dialogs.tsx'

/** A request for access with the patients whom it may be about, and the decision. Mounted while it is open. */
export function AccessRequestSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useApolloClient()
  const { data, error, refetch } = useQuery(ACCESS_REQUEST, {
    variables: { id },
    fetchPolicy: 'network-only',
  })
  const [patient, setPatient] = useState<ChosenPatient | null>(null)
  const [isRefusing, setRefusing] = useState(false)
  const reload = () => void refetch().catch(() => undefined)
  const opened = data?.accessRequest
  const request = opened?.request
  /** Reads the request again if it was decided or deleted; any other request may have changed. */
  const follow = async () => {
    const state = { query: ACCESS_REQUEST_STATE, variables: { id }, fetchPolicy: 'no-cache' } as const
    try {
      const { data: read } = await client.query(state)
      if (read && read.accessRequest.request.state !== 'sent') reload()
    } catch (failure) {
      if (errorCode(failure) === 'NOT_FOUND') reload()
    }
  }
  useListChanges('ACCESS_REQUESTS', () => {
    if (request?.state === 'sent') void follow()
  })
  return (
    <SideSheet
      title="Cerere de acces"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      actions={
        request?.state === 'sent' && (
          <Button icon="ban" onPress={() => setRefusing(true)}>
            Refuză…
          </Button>
        )
      }
    >
      {opened && request ? (
        <div className="grid gap-6">
          <Details request={request} cnp={opened.cnp} />
          {request.state === 'sent' ? (
            <ChoosePatient
              request={request}
              cnp={opened.cnp}
              candidates={opened.candidates}
              onChoose={setPatient}
            />
          ) : (
            <Decision request={request} />
          )}
        </div>
      ) : errorCode(error) === 'NOT_FOUND' ? (
        <EmptyState icon="file-question" title="Cererea nu mai există">
          Cererile se șterg la 90 de zile după decizie.
        </EmptyState>
      ) : error ? (
        <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
      ) : (
        <Skeleton className="h-60" />
      )}
      {request && patient && (
        <AcceptDialog
          request={request}
          patient={patient}
          onClose={() => setPatient(null)}
          onDecided={onClose}
        />
      )}
      {request && isRefusing && (
        <RefuseDialog request={request} onClose={() => setRefusing(false)} onDecided={onClose} />
      )}
    </SideSheet>
  )
}

function Details({ request, cnp }: { request: AccessRequest; cnp: string | null }) {
  return (
    <section aria-label="Ce a scris instituția" className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 text-base font-semibold break-words">
          {request.surname} {request.givenNames}
        </span>
        <AccessRequestStatePill state={request.state} />
      </p>
      <DescriptionList
        items={[
          { label: 'Data nașterii', value: formatDate(request.birthDate) },
          { label: 'CNP', value: cnp },
          { label: 'Instituția', value: request.institutionName },
          {
            label: 'Trimisă',
            value: [formatDateTime(request.createdAt), request.authorName].filter(Boolean).join(', '),
          },
          { label: 'Numărul trimiterii', value: request.number },
          { label: 'Medic trimițător', value: request.doctor },
          { label: 'Pentru ce', value: request.purpose, isWide: true },
        ]}
      />
    </section>
  )
}

function Decision({ request }: { request: AccessRequest }) {
  return (
    <section aria-label="Decizia" className="grid gap-1 text-sm break-words">
      {request.decidedAt && <p className="text-muted">Decisă {formatDateTime(request.decidedAt)}</p>}
      {request.refusal && (
        <p>
          {ACCESS_REFUSAL_NAMES[request.refusal]} {request.refusalNote}
        </p>
      )}
      {request.patientId && (
        <p>
          <TextLink to="/patients/$patientId" params={{ patientId: request.patientId }}>
            Deschide pacientul
          </TextLink>
        </p>
      )}
    </section>
  )
}
