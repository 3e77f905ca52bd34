import { createRoute } from '@tanstack/react-router'
import { OUTCOMES } from '../../shared/audit/outcomes.ts'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { day, defined, flag, oneOf, text } from './search.ts'

const LogsScreen = lazyScreen(() => import('../features/audit/logs-screen.tsx'), 'LogsScreen')

export const logsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/logs',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      from: day(search.from),
      to: day(search.to),
      person: text(search.person),
      action: text(search.action),
      patient: text(search.patient),
      outcome: oneOf(OUTCOMES, search.outcome),
      reads: flag(search.reads),
    }),
  beforeLoad: guardRoute('admin'),
  component: LogsScreen,
})
