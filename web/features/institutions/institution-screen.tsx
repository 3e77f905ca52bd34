import { useQuery } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { INSTITUTION_KIND_NAMES } from '../../../shared/institutions.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import type { Crumb } from '../../ui/page/breadcrumbs.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { DepartmentsCard } from './departments-card.tsx'
import { listInstitutionDetails } from './institution-details.tsx'
import { InstitutionMark } from './institution-mark.tsx'
import { InstitutionStatus } from './institution-status.tsx'
import { SuspensionButton } from './institution-suspension.tsx'
import { InstitutionUsersCard } from './institution-users-card.tsx'
import { SAVED_MESSAGE } from './institution-values.ts'
import { INSTITUTION } from './institutions.queries.ts'

const InstitutionSheet = lazyOnIdle(() => import('./institution-sheet.tsx'), 'InstitutionSheet')

const list: Crumb = { label: 'Instituții', link: { to: '/institutions' } }

export type InstitutionTab = 'prezentare' | 'pacienti' | 'rezultate'

const TABS: readonly TabItem<InstitutionTab>[] = [
  { id: 'prezentare', label: 'Prezentare', icon: 'hospital' },
  { id: 'pacienti', label: 'Pacienți', icon: 'users' },
  { id: 'rezultate', label: 'Rezultate', icon: 'paper-plane' },
]

/** The page of an institution for staff: its figures, and under them the details or another tab. */
export function InstitutionScreen({
  id: institutionId,
  tab,
  onTab,
  hasResults,
  figures,
  children,
}: {
  id: string
  tab: InstitutionTab
  onTab: (tab: InstitutionTab) => void
  hasResults: boolean
  figures: ReactNode
  /** The content of the tabs other than the first. */
  children: ReactNode
}) {
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
        title={
          <span className="flex min-w-0 items-start gap-3">
            <InstitutionMark institution={institution} className="mt-0.5" />
            <span className="min-w-0">{institution.name}</span>
          </span>
        }
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
        {figures}
        <Tabs
          label="Instituția"
          tabs={hasResults ? TABS : TABS.filter(({ id }) => id !== 'rezultate')}
          selected={tab}
          onSelect={onTab}
        >
          {tab === 'prezentare' ? (
            <div className="grid gap-6">
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
          ) : (
            children
          )}
        </Tabs>
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
