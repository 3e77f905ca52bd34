import { useState } from 'react'
import { describeChanges, describeEvent, roleName } from '../../../shared/audit/audit-sentences.ts'
import { OUTCOME_NAMES } from '../../../shared/audit/outcomes.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PATIENT_ACCESS } from './audit.queries.ts'
import { type AccessLine, type AccessPerson, groupAccess } from './group-access.ts'
import { timesOf } from './times-of.ts'
import { UploadLink } from './upload-link.tsx'

/**
 * Opens the list of accesses to a patient; renders nothing for users who may not read other users' entries.
 */
export function PatientAccessButton({ patientId }: { patientId: string }) {
  const [isOpen, setOpen] = useState(false)
  if (useUser().role !== 'admin') return null
  return (
    <>
      <Button icon="eye" onPress={() => setOpen(true)}>
        Cine a văzut fișa
      </Button>
      <SideSheet isOpen={isOpen} onOpenChange={setOpen} title="Cine a văzut acest pacient">
        {isOpen && <PatientAccess patientId={patientId} />}
      </SideSheet>
    </>
  )
}

function PatientAccess({ patientId }: { patientId: string }) {
  const { page, more, region } = useListQuery(PATIENT_ACCESS, (data) => data.patientAccess, {
    variables: { patientId },
    fetchPolicy: 'network-only',
  })
  return (
    <ListRegion {...region}>
      {!page ? (
        <div role="status" aria-label="Se încarcă" className="grid gap-3">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </div>
      ) : page.nodes.length === 0 ? (
        <EmptyState icon="eye" title="Nimeni încă">
          Nimeni nu a deschis, descărcat sau modificat ceva despre acest pacient.
        </EmptyState>
      ) : (
        <div className="grid gap-6">
          <p className="text-sm text-muted">
            Cine a deschis, descărcat sau modificat ceva. Și această consultare este în jurnal.{' '}
            <TextLink to="/logs" search={{ patient: patientId }}>
              Vezi în jurnal
            </TextLink>
          </p>
          {groupAccess(page.nodes, new Date()).map(({ day, title, people }) => (
            <section key={day} aria-label={title}>
              <h3 className="border-b border-line pb-1.5 font-semibold">{title}</h3>
              <ul className="grid gap-3 pt-3">
                {people.map((person) => (
                  <Person key={person.key} person={person} />
                ))}
              </ul>
            </section>
          ))}
          {more.hasMore && (
            <Button className="justify-self-center" onPress={more.onLoadMore} isPending={more.isLoading}>
              Încarcă mai multe
            </Button>
          )}
        </div>
      )}
    </ListRegion>
  )
}

const Person = ({ person: { name, role, lines } }: { person: AccessPerson }) => (
  <li>
    <p className="break-words">
      <span className="font-medium">{name}</span>
      {roleName(role) && <span className="text-sm text-muted"> · {roleName(role)}</span>}
    </p>
    <ul className="grid gap-1 pt-1 text-sm">
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ul>
  </li>
)

function Line({ line: { events } }: { line: AccessLine }) {
  const [latest] = events
  if (!latest) return null
  const { outcome } = latest
  const fields = [
    ...new Set(
      events.flatMap(({ action, changes }) => describeChanges(changes, action).map(({ label }) => label)),
    ),
  ]
  const details = [
    timesOf(events),
    outcome !== 'ok' && OUTCOME_NAMES[outcome],
    fields.length > 0 && fields.join(', '),
  ]
  return (
    <li className="break-words">
      {describeEvent(latest).predicate}
      <span className="text-muted"> · {details.filter(Boolean).join(' · ')}</span>
      <UploadLink event={latest} separator=" · " />
    </li>
  )
}
