import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf, text } from './search.ts'

const InstitutionsPage = lazyScreen(() => import('./institutions-page.tsx'), 'InstitutionsPage')
const InstitutionScreen = lazyScreen(
  () => import('../features/institutions/institution-screen.tsx'),
  'InstitutionScreen',
)

export const institutionsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      q: text(search.q),
      tab: oneOf(['cereri', 'intrebari'], search.tab),
      request: text(search.request),
    }),
  beforeLoad: guardRoute('admin'),
  component: InstitutionsPage,
})

export const institutionDetailRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions/$institutionId',
  beforeLoad: guardRoute('admin'),
  component: InstitutionScreen,
})
