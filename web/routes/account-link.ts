import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'

const AccountLinkScreen = lazyScreen(
  () => import('../features/sign-in/account-link-screen.tsx'),
  'AccountLinkScreen',
)

export const accountLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cont/$token',
  beforeLoad: guardRoute('public'),
  component: AccountLinkScreen,
})
