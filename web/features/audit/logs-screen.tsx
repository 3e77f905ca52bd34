import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { errorMessage } from '../../api/client-error.ts'
import { useLoadMore } from '../../api/use-load-more.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { ACTION_GROUPS } from './action-options.ts'
import { AUDIT_EVENTS, type AuditEvent } from './audit.queries.ts'
import { groupByDay } from './audit-days.ts'
import { AuditEntry } from './audit-entry.tsx'

const options = [{ id: 'all', label: 'Toate acțiunile' }, ...ACTION_GROUPS]

export function LogsScreen() {
  const { action, patient } = useSearch({ from: '/admin-layout/logs' })
  const navigate = useNavigate({ from: '/logs' })
  const isAdmin = useUser().role === 'admin'
  const { data, previousData, error, fetchMore, refetch } = useQuery(AUDIT_EVENTS, {
    variables: { action: action ?? null, patientId: patient ?? null },
  })
  const page = (data ?? previousData)?.auditEvents
  const more = useLoadMore(page?.endCursor, fetchMore)

  const filter = (change: { action?: string | undefined; patient?: string | undefined }) => {
    const next = { action, patient, ...change }
    void navigate({
      search: { ...(next.action && { action: next.action }), ...(next.patient && { patient: next.patient }) },
    })
  }
  return (
    <>
      <PageHeader
        title="Jurnal de activitate"
        meta={
          isAdmin
            ? 'Cine a făcut ce, și cine ce a citit. Nu se poate modifica.'
            : 'Vezi doar ce ai făcut tu. Jurnalul întreg îl văd administratorii.'
        }
      />
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <Select
          label="Acțiune"
          options={options}
          value={action ?? 'all'}
          onChange={(id) => filter({ action: id === 'all' ? undefined : id })}
          className="w-full sm:w-88"
        />
        {patient && (
          <Button trailingIcon="close" onPress={() => filter({ patient: undefined })}>
            {`Doar despre ${nameOf(patient, page?.nodes) ?? 'pacientul ales'}`}
          </Button>
        )}
      </div>
      {error ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : !page ? (
        <Loading />
      ) : page.nodes.length === 0 ? (
        <EmptyState
          icon="history"
          title="Nicio înregistrare"
          action={
            (action || patient) && (
              <Button onPress={() => filter({ action: undefined, patient: undefined })}>
                Arată tot jurnalul
              </Button>
            )
          }
        >
          {isAdmin ? 'Nu s-a întâmplat nimic de acest fel.' : 'Nu ai făcut nimic de acest fel.'}
        </EmptyState>
      ) : (
        <Days
          events={page.nodes}
          onChoosePatient={patient ? undefined : (patientId) => filter({ patient: patientId })}
        />
      )}
      {!error && more.hasMore && (
        <div className="flex justify-center py-4 print:hidden">
          <Button onPress={more.onLoadMore} isPending={more.isLoading}>
            Încarcă mai multe
          </Button>
        </div>
      )}
    </>
  )
}

/** The patient's name as their entries tell it: asking for it would be one more entry about them. */
const nameOf = (patientId: string, events: readonly AuditEvent[] = []): string | null =>
  events.find((event) => event.patientId === patientId)?.patientName ?? null

function Days({
  events,
  onChoosePatient,
}: {
  events: readonly AuditEvent[]
  onChoosePatient: ((patientId: string) => void) | undefined
}) {
  return (
    <div className="grid gap-6">
      {groupByDay(events, new Date()).map(({ day, title, events: ofDay }) => (
        <Card key={day} title={title} flush>
          <ol>
            {ofDay.map((event) => (
              <AuditEntry key={event.id} event={event} onChoosePatient={onChoosePatient} />
            ))}
          </ol>
        </Card>
      ))}
    </div>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-4">
      {['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-3/4', 'w-2/5'].map((width) => (
        <div key={width} className="grid gap-2">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-3 w-40" />
        </div>
      ))}
    </div>
  )
}
