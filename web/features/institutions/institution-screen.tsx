import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { counted, formatDateTime } from '../../../shared/romanian.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import type { Crumb } from '../../ui/breadcrumbs.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx'
import { idlePart } from '../../ui/lazy-part.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AccountStatus } from '../accounts/account-status.tsx'
import { EmailAddress } from '../accounts/email-address.tsx'
import { listFacts } from './institution-facts.tsx'
import { InstitutionStatus } from './institution-status.tsx'
import { kindName } from './institution-words.ts'
import { INSTITUTION, type InstitutionUser } from './institutions.queries.ts'

const InstitutionSheet = idlePart(() => import('./institution-sheet.tsx'), 'InstitutionSheet')

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
          <Missing />
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
            <span>{kindName(institution.kind)}</span>
            <span>Cod {institution.code}</span>
            <span>Modificată {formatDateTime(institution.updatedAt)}</span>
          </>
        }
        actions={
          institution.can.edit && (
            <Button icon="pencil" onPress={() => setEditing(true)}>
              Editează
            </Button>
          )
        }
      />
      <div className="grid gap-6">
        <Card title="Date">
          <DescriptionList facts={listFacts(institution)} />
        </Card>
        <Card
          title="Utilizatori"
          meta={
            <span className="text-sm text-muted">{counted(institution.users.length, 'cont', 'conturi')}</span>
          }
          flush
        >
          <Table
            label="Utilizatorii instituției"
            columns={userColumns}
            rows={institution.users}
            rowId={({ id }) => id}
            empty={
              <EmptyState icon="users" title="Niciun cont">
                Nimeni din instituție nu poate vedea rezultatele în portal.
              </EmptyState>
            }
          />
        </Card>
      </div>
      {isEditing && (
        <InstitutionSheet
          institution={institution}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            showToast({ tone: 'success', title: 'Datele instituției au fost salvate.' })
          }}
        />
      )}
    </>
  )
}

const userColumns: Column<InstitutionUser>[] = [
  { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name },
  { id: 'email', header: 'E-mail', cell: ({ email }) => <EmailAddress email={email} /> },
  { id: 'status', header: 'Stare', cell: ({ status }) => <AccountStatus status={status} /> },
  {
    id: 'last',
    header: 'Ultima autentificare',
    className: 'whitespace-nowrap',
    cell: ({ lastSignInAt }) => (lastSignInAt ? formatDateTime(lastSignInAt) : 'niciodată'),
  },
]

function Missing() {
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
