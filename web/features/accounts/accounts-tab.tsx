import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { formatDateTime } from '../../../shared/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useLoadMore } from '../../api/use-load-more.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AccountStatus } from './account-status.tsx'
import { describeFeatures, roleName } from './account-words.ts'
import { USERS, type UserRow } from './accounts.queries.ts'
import { EmailAddress } from './email-address.tsx'
import { UserSessionsDialog } from './user-sessions-dialog.tsx'

const columns = (onSessions: (user: UserRow) => void): Column<UserRow>[] => [
  {
    id: 'name',
    header: 'Nume',
    kind: 'title',
    cell: ({ name, jobTitle }) => (
      <>
        {name}
        {jobTitle && <span className="block text-sm font-normal text-muted">{jobTitle}</span>}
      </>
    ),
  },
  { id: 'email', header: 'E-mail', cell: ({ email }) => <EmailAddress email={email} /> },
  { id: 'role', header: 'Rol', cell: ({ role }) => roleName(role) },
  { id: 'institutions', header: 'Instituții', cell: ({ institutions }) => institutions.join(', ') },
  { id: 'features', header: 'Funcții', cell: ({ role, features }) => describeFeatures(role, features) },
  { id: 'status', header: 'Stare', cell: ({ status }) => <AccountStatus status={status} /> },
  {
    id: 'last',
    header: 'Ultima autentificare',
    cell: ({ lastSignInAt }) => (lastSignInAt ? formatDateTime(lastSignInAt) : 'niciodată'),
  },
  {
    id: 'sessions',
    header: 'Sesiuni',
    cell: (user) => (
      <Button variant="quiet" aria-label={`Arată sesiunile: ${user.name}`} onPress={() => onSessions(user)}>
        Arată
      </Button>
    ),
  },
]

/** Everybody who has an account. */
export function AccountsTab() {
  const { data, error, fetchMore, refetch } = useQuery(USERS)
  const [shown, setShown] = useState<UserRow | null>(null)
  const page = data?.users
  const more = useLoadMore(page?.endCursor, fetchMore)
  return (
    <Card title="Utilizatori" flush>
      {error ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : (
        <Table
          label="Utilizatori"
          columns={columns(setShown)}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          empty={<EmptyState icon="users" title="Niciun cont" />}
          more={more}
        />
      )}
      {shown && <UserSessionsDialog user={shown} onClose={() => setShown(null)} />}
    </Card>
  )
}
