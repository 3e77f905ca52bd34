import { Suspense, useState } from 'react'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { AccountStatus } from '../users/account-status.tsx'
import { EmailAddress } from '../users/email-address.tsx'
import type { InstitutionUser } from './institutions.queries.ts'

const InviteSheet = lazyOnIdle(() => import('../users/invite-sheet.tsx'), 'InviteSheet')
const UserSheet = lazyOnIdle(() => import('../users/user-sheet.tsx'), 'UserSheet')

const userDetails: Column<InstitutionUser>[] = [
  { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name },
  { id: 'email', header: 'E-mail', cell: ({ email }) => <EmailAddress email={email} /> },
  {
    id: 'status',
    header: 'Stare',
    cell: (user) => <AccountStatus user={{ ...user, role: 'institution' }} />,
  },
  {
    id: 'last',
    header: 'Ultima vizită',
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatDateTime(lastUsedAt) : 'niciodată'),
  },
]

const columns = (onOpen: (id: string) => void): Column<InstitutionUser>[] => [
  ...userDetails,
  {
    id: 'open',
    header: 'Cont',
    kind: 'actions',
    cell: ({ id, name }) => (
      <Button variant="quiet" aria-label={`Deschide contul: ${name}`} onPress={() => onOpen(id)}>
        Deschide
      </Button>
    ),
  },
]

/** Lists the users who see an institution's results; an administrator invites and edits them here. */
export function InstitutionUsersCard({
  institution: { id, name, shortName, suspendedAt, users },
  canManage,
  onChange,
}: {
  institution: {
    id: string
    name: string
    shortName: string | null
    suspendedAt: string | null
    users: InstitutionUser[]
  }
  canManage: boolean
  onChange: () => void
}) {
  const [isInviting, setInviting] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  // A suspended institution gets no invitations, since the invited user would see nothing.
  const invite = canManage && suspendedAt === null && (
    <Button icon="user-plus" onPress={() => setInviting(true)}>
      Invită
    </Button>
  )
  return (
    <Card
      title="Utilizatori"
      meta={<span className="text-sm text-muted">{counted(users.length, 'cont', 'conturi')}</span>}
      actions={users.length > 0 && invite}
      flush
    >
      <Table
        label="Utilizatorii instituției"
        columns={canManage ? columns(setOpened) : userDetails}
        rows={users}
        rowId={(user) => user.id}
        empty={
          <EmptyState icon="users" title="Niciun cont" action={invite}>
            Nimeni din instituție nu poate vedea rezultatele în portal.
          </EmptyState>
        }
      />
      <Suspense>
        {isInviting && (
          <InviteSheet
            institution={{ id, label: shortName ?? name }}
            onClose={() => setInviting(false)}
            onInvited={onChange}
          />
        )}
        {opened && (
          <UserSheet key={opened} userId={opened} onClose={() => setOpened(null)} onChange={onChange} />
        )}
      </Suspense>
    </Card>
  )
}
