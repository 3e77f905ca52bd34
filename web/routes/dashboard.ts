import { createRoute } from '@tanstack/react-router'
import { TURNAROUND_DAYS } from '../../shared/uploads/upload-state-list.ts'
import { guardRoute } from './guard.ts'
import { defaultLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf, text } from './search.ts'

const DashboardPage = lazyScreen(() => import('./pages/dashboard-page.tsx'), 'DashboardPage')

export const dashboardRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: '/dashboard',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      days: oneOf(TURNAROUND_DAYS, search.days),
      category: text(search.category),
      institution: text(search.institution),
    }),
  beforeLoad: guardRoute('review'),
  component: DashboardPage,
})
