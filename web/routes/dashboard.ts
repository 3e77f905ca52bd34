import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { defaultLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'

const DashboardPage = lazyScreen(() => import('./pages/dashboard-page.tsx'), 'DashboardPage')

export const dashboardRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: '/dashboard',
  beforeLoad: guardRoute('review'),
  component: DashboardPage,
})
