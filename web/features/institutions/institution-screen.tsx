import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { INSTITUTION_KIND_NAMES } from '../../../shared/institutions.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import type { Crumb } from '../../ui/page/breadcrumbs.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DepartmentsCard } from './departments-card.tsx'
import { listInstitutionDetails } from './institution-details.tsx'
import { InstitutionStatus } from './institution-status.tsx'
import { SuspensionButton } from './institution-suspension.tsx'
import { InstitutionUsersCard } from './institution-users-card.tsx'
import { SAVED_MESSAGE } from './institution-values.ts'
import { INSTITUTION } from './institutions.queries.ts'

const InstitutionSheet = lazyOnIdle(() => import('./institution-sheet.tsx'), 'InstitutionSheet')

const list: Crumb = { label: 'Instituții', link: { to: '/institutions' } }

export function InstitutionScreen() {
  const { institutionId } = useParams({ from: '/admin-layout/institutions/$institutionId' })
  const [isEditing, setEditing] = useState(false)
  const { data, error, refetch } = useQuery(INSTITUTION, { variables: { id: institutionId } })

  if (error) {
    return (
      <>
        <PageHeader crumbs={[list, { label: 'Instituție' }]} title="Instituție" />
        {errorCode(error) === 'NOT_FOUND' ? (
          <InstitutionNotFound />
        ) : (
          <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
        )}
      </>
    )
  }
  if (!data) return <Loading />
  const { institution } = data
  return (
    <>
      <PageHeader
        crumbs={[list, { label: institution.name }]}
        title={institution.name}
        status={<InstitutionStatus suspendedAt={institution.suspendedAt} />}
        meta={
          <>
            <span>{INSTITUTION_KIND_NAMES[institution.kind]}</span>
            <span>Cod {institution.code}</span>
            <span>Modificată {formatDateTime(institution.updatedAt)}</span>
          </>
        }
        actions={
          institution.can.edit && (
            <>
              <Button icon="pencil" onPress={() => setEditing(true)}>
                Editează
              </Button>
              <SuspensionButton institution={institution} onStale={() => refetch()} />
            </>
          )
        }
      />
      <div className="grid gap-6">
        {institution.suspendedAt && (
          <Alert tone="warning" title={`Suspendată din ${formatDateTime(institution.suspendedAt)}`}>
            Oamenii ei nu pot intra și nu primesc mesaje, iar pentru ea nu se mai adaugă trimiteri și
            rezultate. Istoricul rămâne.
          </Alert>
        )}
        <Card title="Date">
          <DescriptionList items={listInstitutionDetails(institution)} />
        </Card>
        {institution.can.edit && <DepartmentsCard institutionId={institution.id} />}
        <InstitutionUsersCard
          institution={institution}
          canManage={institution.can.edit}
          onChange={() => void refetch().catch(() => undefined)}
        />
      </div>
      {isEditing && (
        <InstitutionSheet
          institution={institution}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            showToast({ tone: 'success', title: SAVED_MESSAGE })
          }}
        />
      )}
    </>
  )
}

function InstitutionNotFound() {
  return (
    <EmptyState
      icon="hospital"
      title="Instituția nu există sau nu ai acces la ea"
      action={<LinkButton to="/institutions">Vezi toate instituțiile</LinkButton>}
    >
      Adresa este greșită sau instituția a fost scoasă.
    </EmptyState>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-6">
      <div className="grid gap-3">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-8 w-96 max-w-full" />
      </div>
      <Skeleton className="h-64 rounded-lg" />
      <Skeleton className="h-40 rounded-lg" />
    </div>
  )
}
