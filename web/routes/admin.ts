import { createRoute } from '@tanstack/react-router'
import { guarded } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf } from './search.ts'

/** The tabs of the screen as the address names them; without a name, the first. */
export const ADMIN_TABS = ['setari', 'conturi', 'categorii', 'chei', 'mesaje', 'sistem'] as const

const AdminPage = lazyScreen(() => import('./admin-page.tsx'), 'AdminPage')

export const adminRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/admin',
  beforeLoad: guarded('admin'),
  validateSearch: (search: Record<string, unknown>) => defined({ tab: oneOf(ADMIN_TABS, search.tab) }),
  component: AdminPage,
})
