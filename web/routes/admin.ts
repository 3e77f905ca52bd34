import { createRoute } from '@tanstack/react-router'
import { guarded } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'

const AdminScreen = lazyScreen(() => import('../features/accounts/admin-screen.tsx'), 'AdminScreen')

export const adminRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/admin',
  beforeLoad: guarded('admin'),
  component: AdminScreen,
})
