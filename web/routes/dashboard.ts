import { createRoute } from '@tanstack/react-router'
import { guarded } from './guard.ts'
import { defaultLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'

const DashboardScreen = lazyScreen(
  () => import('../features/dashboard/dashboard-screen.tsx'),
  'DashboardScreen',
)

export const dashboardRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: '/dashboard',
  beforeLoad: guarded('review'),
  component: DashboardScreen,
})
