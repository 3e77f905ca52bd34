import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AUTHORITY_NOTICE_NAMES, PERSONS_NOTICE_NAMES } from '../../../shared/incidents/incidents.ts'
import { lookUp } from '../../../shared/look-up.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { downloadReport } from './download-report.ts'
import { IncidentClock } from './incident-clock.tsx'
import { INCIDENT, type Incident } from './incidents.queries.ts'
import { OpeningList } from './openings.tsx'

const NoteDialog = lazyOnIdle(() => import('./incident-dialogs.tsx'), 'NoteDialog')
const NoticesDialog = lazyOnIdle(() => import('./incident-dialogs.tsx'), 'NoticesDialog')
const CloseDialog = lazyOnIdle(() => import('./incident-dialogs.tsx'), 'CloseDialog')
const ReopenDialog = lazyOnIdle(() => import('./incident-dialogs.tsx'), 'ReopenDialog')

type Opened = 'note' | 'notices' | 'close' | 'reopen' | null

/** The record of a result that was released for the wrong patient, or to the wrong institution. */
export function IncidentScreen() {
  const { incidentId: id } = useParams({ from: '/admin-layout/incidents/$incidentId' })
  const { data, error, refetch } = useQuery(INCIDENT, { variables: { id } })
  const [opened, setOpened] = useState<Opened>(null)
  useLiveUploads((ids) => {
    if (ids === null) void refetch().catch(() => undefined)
  })
  const incident = data?.incident
  if (!incident) {
    return (
      <>
        <PageHeader title="Incident" />
        {!error && <Skeleton className="h-80 rounded-lg" />}
        {error &&
          (['NOT_FOUND', 'FORBIDDEN'].includes(errorCode(error) ?? '') ? (
            <EmptyState icon="file-question" title="Incidentul nu există sau nu ai acces la el">
              Incidentele le văd administratorii și cei care verifică încărcările.
            </EmptyState>
          ) : (
            <ErrorState onRetry={() => void refetch().catch(() => undefined)}>
              {errorMessage(error)}
            </ErrorState>
          ))}
      </>
    )
  }
  const close = () => setOpened(null)
  return (
    <>
      <PageHeader
        title={`Incident nr. ${incident.number}`}
        {...(incident.canManage && {
          crumbs: [
            { label: 'Incidente', link: { to: '/admin', search: { tab: 'incidente' } } },
            { label: `Nr. ${incident.number}` },
          ],
        })}
        status={<IncidentClock incident={incident} />}
        meta={<span>Termen pentru ANSPDCP: {formatDateTime(incident.deadline)}</span>}
        actions={<Actions incident={incident} onOpen={setOpened} />}
      />
      <div className="grid gap-6">
        {incident.closedAt && (
          <Alert tone="success" title={`Încheiat pe ${formatDateTime(incident.closedAt)}`}>
            {incident.closedByName}: {incident.closedReason}
          </Alert>
        )}
        <FactsCard incident={incident} />
        <Card title="Instituțiile care l-au deschis">
          <div className="grid gap-4">
            <OpeningList openings={incident.openings} />
            <RequestList incident={incident} />
          </div>
        </Card>
        <NoticesCard incident={incident} onEdit={() => setOpened('notices')} />
        <NotesCard incident={incident} onAdd={() => setOpened('note')} />
      </div>
      {opened === 'note' && <NoteDialog incident={incident} onClose={close} />}
      {opened === 'notices' && <NoticesDialog incident={incident} onClose={close} />}
      {opened === 'close' && <CloseDialog incident={incident} onClose={close} />}
      {opened === 'reopen' && <ReopenDialog incident={incident} onClose={close} />}
    </>
  )
}

type Props = { incident: Incident }

function Actions({ incident, onOpen }: Props & { onOpen: (opened: Opened) => void }) {
  const [isPending, setPending] = useState(false)
  const download = async () => {
    setPending(true)
    try {
      await downloadReport(incident)
    } catch (error) {
      showToast({ tone: 'error', title: 'Raportul nu a fost descărcat', description: errorMessage(error) })
    }
    setPending(false)
  }
  return (
    <>
      <Button icon="download" isPending={isPending} onPress={() => void download()}>
        Raport PDF
      </Button>
      {incident.canManage && !incident.closedAt && (
        <Button variant="primary" icon="check" onPress={() => onOpen('close')}>
          Încheie
        </Button>
      )}
      {incident.canManage && incident.closedAt && (
        <Button icon="undo" onPress={() => onOpen('reopen')}>
          Redeschide
        </Button>
      )}
    </>
  )
}

function FactsCard({ incident }: Props) {
  const { formerPatient, patient, isWrongInstitution } = incident
  return (
    <Card title="Ce s-a întâmplat">
      <DescriptionList
        items={[
          {
            label: 'Rezultat',
            value: (
              <TextLink to="/uploads/$uploadId" params={{ uploadId: incident.uploadId }}>
                {`Nr. ${incident.uploadNumber}`}
              </TextLink>
            ),
          },
          ...(isWrongInstitution
            ? []
            : [{ label: 'Eliberat pentru', value: <PatientLink patient={formerPatient} /> }]),
          { label: 'Este al pacientului', value: <PatientLink patient={patient} /> },
          {
            label: isWrongInstitution ? 'Eliberat din greșeală către' : 'Instituția care îl vedea',
            value: incident.formerInstitutionName,
          },
          { label: 'Eliberat', value: formatDateTime(incident.releasedAt) },
          { label: 'Descoperit', value: formatDateTime(incident.discoveredAt) },
          {
            label: isWrongInstitution ? 'Luat instituției' : 'Mutat',
            value: `${formatDateTime(incident.movedAt)}, ${incident.movedByName}`,
          },
          {
            label: 'Date',
            value: [incident.category, counted(incident.fileCount, 'fișier', 'fișiere')]
              .filter(Boolean)
              .join(', '),
          },
          { label: 'Motiv', value: incident.reason, isWide: true },
        ]}
      />
    </Card>
  )
}

const PatientLink = ({ patient: { id, name, number } }: { patient: Incident['patient'] }) => (
  <TextLink to="/patients/$patientId" params={{ patientId: id }}>
    {`${name}, nr. ${number}`}
  </TextLink>
)

function RequestList({ incident: { requests } }: Props) {
  if (requests.length === 0) return null
  return (
    <ul aria-label="Cereri de ștergere" className="grid gap-2 text-sm">
      {requests.map(({ id, institutionName, mailed, answeredAt, answeredByName }) => (
        <li key={id}>
          <Alert
            tone={answeredAt ? 'success' : 'warning'}
            title={
              answeredAt ? `${institutionName} a confirmat ștergerea` : `${institutionName} nu a răspuns încă`
            }
          >
            {answeredAt
              ? `${formatDateTime(answeredAt)}${answeredByName ? `, ${answeredByName}` : ''}`
              : mailed > 0
                ? `Cererea este în Dosar și în mesaje către ${counted(mailed, 'cont', 'conturi')}.`
                : 'Nu are niciun cont activ: cere ștergerea la telefon și notează aici răspunsul.'}
          </Alert>
        </li>
      ))}
    </ul>
  )
}

function NoticesCard({ incident, onEdit }: Props & { onEdit: () => void }) {
  const { authority, authorityAt, persons, personsAt } = incident
  const describe = (names: Record<string, string>, decision: string | null, at: string | null) =>
    decision ? `${lookUp(names, decision)} (${formatDateTime(at ?? '')})` : 'încă nu s-a notat'
  return (
    <Card
      title="Anunțarea"
      actions={
        incident.canManage &&
        !incident.closedAt && (
          <Button variant="quiet" icon="pencil" onPress={onEdit}>
            Notează
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          { label: 'ANSPDCP', value: describe(AUTHORITY_NOTICE_NAMES, authority, authorityAt), isWide: true },
          { label: 'Persoanele', value: describe(PERSONS_NOTICE_NAMES, persons, personsAt), isWide: true },
        ]}
      />
    </Card>
  )
}

function NotesCard({ incident: { notes, closedAt }, onAdd }: Props & { onAdd: () => void }) {
  return (
    <Card
      title="Note"
      actions={
        !closedAt && (
          <Button variant="quiet" icon="plus" onPress={onAdd}>
            Adaugă o notă
          </Button>
        )
      }
    >
      {notes.length === 0 && <p className="text-sm text-muted">Nicio notă.</p>}
      <ul className="grid gap-3">
        {notes.map(({ id, text, authorName, createdAt }) => (
          <li key={id} className="grid gap-0.5">
            <p className="break-words whitespace-pre-line">{text}</p>
            <p className="text-sm text-muted">
              {formatDateTime(createdAt)}, {authorName}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
