import type { ReactNode } from 'react'
import { ACCOUNT_ORDERS, type AccountOrder } from '../../../shared/access/account-orders.ts'
import {
  ACCOUNT_STATUS_NAMES,
  ACCOUNT_STATUSES,
  type AccountStatus,
} from '../../../shared/access/account-statuses.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../../shared/access/roles.ts'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { Select } from '../../ui/options/select.tsx'

type Filters = { q?: string; role?: Role; status?: AccountStatus; order?: AccountOrder }

const roles = [
  { id: 'all' as const, label: 'Toate rolurile' },
  ...ROLES.map((id) => ({ id, label: ROLE_NAMES[id] })),
]
const statuses = [
  { id: 'all' as const, label: 'Toate stările' },
  ...ACCOUNT_STATUSES.map((id) => ({ id, label: ACCOUNT_STATUS_NAMES[id] })),
]

const ORDER_NAMES: Record<AccountOrder, string> = {
  status: 'După stare',
  name: 'După nume',
  email: 'După e-mail',
  role: 'După rol',
  last_sign_in: 'După ultima autentificare',
}
const orders = ACCOUNT_ORDERS.map((id) => ({ id, label: ORDER_NAMES[id] }))

/** The order where the address has none: invited and suspended accounts follow the active ones. */
export const DEFAULT_ORDER: AccountOrder = 'status'

/** The filters and the order of the list of accounts. */
export function AccountFilters({
  filters,
  text,
  onType,
  onChange,
  isLoading,
  actions,
}: {
  filters: Filters
  /** The text of the search field. */
  text: string
  onType: (text: string) => void
  /** Called with all filters, including the unchanged ones. */
  onChange: (filters: Filters) => void
  isLoading: boolean
  actions: ReactNode
}) {
  const { role, status, order } = filters
  const change = (next: { [name in keyof Filters]: Filters[name] | undefined }) => {
    const all = { ...filters, ...next }
    onChange({
      ...(all.q && { q: all.q }),
      ...(all.role && { role: all.role }),
      ...(all.status && { status: all.status }),
      ...(all.order && { order: all.order }),
    })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <SearchField
        label="Caută conturi"
        placeholder="Nume sau e-mail"
        value={text}
        onChange={onType}
        isLoading={isLoading && text !== ''}
        className="w-full min-w-0 sm:w-auto sm:flex-1 sm:max-w-72"
      />
      <Select
        label="Rol"
        hideLabel
        options={roles}
        value={role ?? 'all'}
        onChange={(id) => change({ role: id === 'all' ? undefined : id })}
        className="min-w-0 flex-1 sm:max-w-44"
      />
      <Select
        label="Stare"
        hideLabel
        options={statuses}
        value={status ?? 'all'}
        onChange={(id) => change({ status: id === 'all' ? undefined : id })}
        className="min-w-0 flex-1 sm:max-w-44"
      />
      <Select
        label="Ordine"
        hideLabel
        options={orders}
        value={order ?? DEFAULT_ORDER}
        onChange={(id) => change({ order: id === DEFAULT_ORDER ? undefined : id })}
        className="w-full min-w-0 sm:w-auto sm:flex-1 sm:max-w-60"
      />
      <div className="max-sm:w-full max-sm:*:w-full sm:ml-auto">{actions}</div>
    </div>
  )
}
