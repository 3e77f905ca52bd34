import { createRoute } from '@tanstack/react-router'
import { guarded } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, text } from './search.ts'

const LogsScreen = lazyScreen(() => import('../features/audit/logs-screen.tsx'), 'LogsScreen')

export const logsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/logs',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ action: text(search.action), patient: text(search.patient) }),
  beforeLoad: guarded('admin'),
  component: LogsScreen,
})
