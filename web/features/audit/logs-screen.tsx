import { useNavigate, useSearch } from '@tanstack/react-router'
import { AUDIT_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { groupByDay } from '../../lists/group-by-day.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { LoadMore } from '../../ui/page/load-more.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AUDIT_EVENTS, type AuditEvent } from './audit.queries.ts'
import { AuditEntry } from './audit-entry.tsx'
import { ChainState } from './chain-state.tsx'
import { foldRepeats } from './fold-repeats.ts'
import { type LogFilters, toVariables } from './log-filters.ts'
import { LogsFilterBar } from './logs-filter-bar.tsx'

const withoutNulls = (variables: object) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null))

export function LogsScreen() {
  const filters: LogFilters = useSearch({ from: '/admin-layout/logs' })
  const navigate = useNavigate({ from: '/logs' })
  const isAdmin = useUser().role === 'admin'
  const variables = toVariables(filters)
  const { page, more, region } = useListQuery(AUDIT_EVENTS, (data) => data.auditEvents, { variables })
  const filter = (search: LogFilters) => void navigate({ search })
  return (
    <>
      <PageHeader
        title="Jurnal de activitate"
        meta={
          isAdmin
            ? 'Cine a făcut ce, și cine ce a citit. Nu se poate modifica.'
            : 'Vezi doar ce ai făcut tu. Jurnalul întreg îl văd administratorii.'
        }
        actions={
          isAdmin && (
            <ExportButton
              name="jurnal"
              path={AUDIT_EXPORT_PATH}
              filter={{ query: withoutNulls(variables) }}
            />
          )
        }
      />
      {isAdmin && <ChainState />}
      <LogsFilterBar
        filters={filters}
        onChange={filter}
        patientName={filters.patient ? nameOf(filters.patient, page?.nodes) : null}
        hasPeople={isAdmin}
      />
      <ListRegion {...region}>
        {!page ? (
          <Loading />
        ) : page.nodes.length === 0 ? (
          <EmptyState
            icon="history"
            title="Nicio înregistrare"
            action={
              Object.keys(filters).length > 0 && (
                <Button onPress={() => filter({})}>Arată tot jurnalul</Button>
              )
            }
          >
            {isAdmin ? 'Nu s-a întâmplat nimic de acest fel.' : 'Nu ai făcut nimic de acest fel.'}
          </EmptyState>
        ) : (
          <Days
            events={page.nodes}
            onChoosePatient={filters.patient ? undefined : (patient) => filter({ ...filters, patient })}
          />
        )}
        <LoadMore {...more} />
      </ListRegion>
    </>
  )
}

/**
 * Returns the patient's name from the loaded entries: requesting it would write one more entry about the
 * patient.
 */
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
      {groupByDay(events, ({ at }) => at, new Date()).map(({ day, title, items }) => (
        <Card key={day} title={title} flush>
          <ol>
            {foldRepeats(items).map(({ key, latest, events }) => (
              <AuditEntry key={key} event={latest} foldedEvents={events} onChoosePatient={onChoosePatient} />
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
