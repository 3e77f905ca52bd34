import { createRoute } from '@tanstack/react-router'
import { ACCOUNT_ORDERS } from '../../shared/access/account-orders.ts'
import { ACCOUNT_STATUSES } from '../../shared/access/account-statuses.ts'
import { ROLES } from '../../shared/access/roles.ts'
import { ADMIN_TABS } from './admin-tabs.ts'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, flag, oneOf, text } from './search.ts'

const AdminPage = lazyScreen(() => import('./pages/admin-page.tsx'), 'AdminPage')

export const adminRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/admin',
  beforeLoad: guardRoute('admin'),
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      tab: oneOf(ADMIN_TABS, search.tab),
      // For the tab of accounts: the filters, the order, and the account whose sheet is open.
      q: text(search.q),
      role: oneOf(ROLES, search.role),
      status: oneOf(ACCOUNT_STATUSES, search.status),
      order: oneOf(ACCOUNT_ORDERS, search.order),
      user: text(search.user),
      // For the tab of mail: only what will not be sent any more.
      undelivered: flag(search.undelivered),
    }),
  component: AdminPage,
})
