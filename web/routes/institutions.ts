import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, text } from './search.ts'

const InstitutionsScreen = lazyScreen(
  () => import('../features/institutions/institutions-screen.tsx'),
  'InstitutionsScreen',
)
const InstitutionScreen = lazyScreen(
  () => import('../features/institutions/institution-screen.tsx'),
  'InstitutionScreen',
)

export const institutionsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions',
  validateSearch: (search: Record<string, unknown>) => defined({ q: text(search.q) }),
  beforeLoad: guardRoute('admin'),
  component: InstitutionsScreen,
})

export const institutionDetailRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/institutions/$institutionId',
  beforeLoad: guardRoute('admin'),
  component: InstitutionScreen,
})
