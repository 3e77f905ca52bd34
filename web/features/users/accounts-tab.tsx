import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { AccountOrder } from '../../../shared/access/account-orders.ts'
import type { AccountStatus as Status } from '../../../shared/access/account-statuses.ts'
import type { Role } from '../../../shared/access/roles.ts'
import { ROLE_NAMES } from '../../../shared/access/roles.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { useDebouncedText } from '../../ui/hooks/use-debounced-text.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { AccountFilters, DEFAULT_ORDER } from './account-filters.tsx'
import { describeFeatures, institutionNames } from './account-labels.ts'
import { AccountStatus } from './account-status.tsx'
import { USERS, type UserDetails } from './accounts.queries.ts'
import { EmailAddress } from './email-address.tsx'

const InviteSheet = lazyOnIdle(() => import('./invite-sheet.tsx'), 'InviteSheet')
const UserSheet = lazyOnIdle(() => import('./user-sheet.tsx'), 'UserSheet')

const columns: Column<UserDetails>[] = [
  {
    id: 'name',
    header: 'Nume',
    kind: 'title',
    cell: ({ name, jobTitle }) => (
      <>
        {name}
        {jobTitle && (
          <span className="block text-sm font-normal text-muted lg:ml-2 lg:inline">{jobTitle}</span>
        )}
      </>
    ),
  },
  {
    id: 'email',
    header: 'E-mail',
    cell: ({ email }) => <EmailAddress email={email} />,
    className: 'lg:w-52',
  },
  { id: 'role', header: 'Rol', cell: ({ role }) => ROLE_NAMES[role], className: 'lg:w-30' },
  {
    id: 'rights',
    header: 'Instituții sau drepturi',
    cell: ({ role, features, institutions }) =>
      role === 'institution' ? institutionNames(institutions) : describeFeatures(role, features),
    className: 'lg:w-40 lg:@max-5xl/table:hidden',
  },
  { id: 'status', header: 'Stare', cell: (user) => <AccountStatus user={user} />, className: 'lg:w-36' },
  {
    id: 'factor',
    header: 'Al doilea factor',
    cell: ({ hasSecondFactor, status }) => (status === 'invited' ? null : hasSecondFactor ? 'Da' : 'Nu'),
    className: 'lg:w-33 lg:@max-5xl/table:hidden',
  },
  {
    id: 'last',
    header: 'Ultima autentificare',
    cell: ({ lastSignInAt }) => (lastSignInAt ? formatDateTime(lastSignInAt) : 'niciodată'),
    className: 'lg:w-36',
  },
]

/** The filters and the order of the list, and the user whose sheet is open, as in the address. */
export type AccountsSearch = {
  q?: string
  role?: Role
  status?: Status
  order?: AccountOrder
  user?: string
}

/** Lists all accounts, with actions to invite, edit and suspend. */
export function AccountsTab() {
  const { q, role, status, order, user } = useSearch({ from: '/admin-layout/admin' })
  const navigate = useNavigate({ from: '/admin' })
  const [isInviting, setInviting] = useState(false)
  const filters: AccountsSearch = {
    ...(q && { q }),
    ...(role && { role }),
    ...(status && { status }),
    ...(order && { order }),
  }
  const isFiltered = [q, role, status].some(Boolean)
  const go = (search: AccountsSearch, replace = false) =>
    void navigate({ search: { tab: 'conturi', ...search }, replace, resetScroll: false })
  const { text, setText, isDebouncing } = useDebouncedText(q ?? '', (next) => {
    const { q: _, ...rest } = filters
    go(next ? { q: next, ...rest } : rest, true)
  })
  const { page, isBusy, reload, more, region } = useListQuery(USERS, (data) => data.users, {
    variables: {
      search: q ?? null,
      role: role ?? null,
      status: status ?? null,
      order: order ?? DEFAULT_ORDER,
    },
    isDebouncing,
  })
  const invite = (
    <Button variant="primary" icon="user-plus" onPress={() => setInviting(true)}>
      Invită o persoană
    </Button>
  )

  return (
    <>
      <AccountFilters
        filters={filters}
        text={text}
        onType={setText}
        onChange={(next) => go(next, true)}
        isLoading={isBusy}
        actions={invite}
      />
      <ListRegion {...region}>
        <Table
          label="Conturi"
          isDense
          columns={columns}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/admin', search: { tab: 'conturi', ...filters, user: id } })}
          empty={
            isFiltered ? (
              <EmptyState
                icon="search"
                title="Niciun cont găsit"
                action={<Button onPress={() => go(order ? { order } : {})}>Arată toate conturile</Button>}
              >
                Nimeni nu se potrivește cu ce ai căutat și ales.
              </EmptyState>
            ) : (
              <EmptyState icon="users" title="Niciun cont" action={invite} />
            )
          }
          more={more}
        />
      </ListRegion>
      <Suspense>
        {isInviting && <InviteSheet onClose={() => setInviting(false)} onInvited={reload} />}
        {user && <UserSheet key={user} userId={user} onClose={() => go(filters)} onChange={reload} />}
      </Suspense>
    </>
  )
}
