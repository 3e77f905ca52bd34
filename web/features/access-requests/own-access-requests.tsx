import { ACCESS_REFUSAL_NAMES } from '../../../shared/requests/access-requests.ts'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { useNamedRow } from '../../ui/hooks/use-named-row.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { AccessRequestStatePill } from './access-request-state.tsx'
import { type AccessRequest, OWN_ACCESS_REQUESTS } from './access-requests.queries.ts'
import { RequestAccess } from './request-access.tsx'

/** Lists what the user's institutions have requested, with the answers; the address may name one. */
export function OwnAccessRequests({ hasFiles, namedId }: { hasFiles: boolean; namedId: string | null }) {
  const { page, more, region, reload } = useListQuery(OWN_ACCESS_REQUESTS, (data) => data.ownAccessRequests, {
    variables: {},
    fetchPolicy: 'cache-and-network',
  })
  useListChanges('ACCESS_REQUESTS', reload)
  const requests = page?.nodes
  return (
    <>
      <div className="mb-4">
        <RequestAccess search="" />
      </div>
      <ListRegion {...region}>
        {!requests ? (
          <Skeleton className="h-40" />
        ) : requests.length === 0 ? (
          <EmptyState icon="user-plus" title="Nicio cerere de acces">
            Dacă nu găsiți un pacient, cereți acces și urmăriți aici răspunsul centrului.
          </EmptyState>
        ) : (
          <ul
            aria-label="Cereri de acces"
            className="divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {requests.map((request) => (
              <OwnAccessRequest
                key={request.id}
                request={request}
                hasFiles={hasFiles}
                isNamed={request.id === namedId}
              />
            ))}
          </ul>
        )}
        {more.hasMore && (
          <Button className="mt-4" onPress={more.onLoadMore} isPending={more.isLoading}>
            Încarcă mai multe
          </Button>
        )}
      </ListRegion>
    </>
  )
}

function OwnAccessRequest({
  request,
  hasFiles,
  isNamed,
}: {
  request: AccessRequest
  hasFiles: boolean
  isNamed: boolean
}) {
  const row = useNamedRow<HTMLLIElement>(isNamed)
  const { surname, givenNames, birthDate, cnpMasked, purpose, doctor, number, state, refusal } = request
  const sender = [request.authorName, request.institutionName].filter(Boolean).join(', ')
  return (
    <li {...row} className={classNames('grid gap-1 px-4 py-3 sm:px-5', isNamed && 'bg-accent-soft')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-medium break-words">
          {surname} {givenNames}
        </p>
        <AccessRequestStatePill state={state} />
      </div>
      <p className="text-sm break-words text-muted">
        {[
          `n. ${formatDate(birthDate)}`,
          cnpMasked && `CNP ${cnpMasked}`,
          number && `trimiterea ${number}`,
          doctor,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="text-sm break-words">{purpose}</p>
      <p className="text-sm break-words text-muted">
        Trimisă {formatDateTime(request.createdAt)}, {sender}
      </p>
      {refusal && (
        <p className="mt-1 text-sm break-words">
          <span className="font-medium">{ACCESS_REFUSAL_NAMES[refusal]}</span> {request.refusalNote}
        </p>
      )}
      {request.patientId && hasFiles && (
        <p className="mt-1 text-sm">
          <TextLink to="/institution" search={{ tab: 'pacienti', patient: request.patientId }}>
            Deschide pacientul
          </TextLink>
        </p>
      )}
    </li>
  )
}
