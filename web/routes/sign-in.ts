import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SIGNED_IN_TARGET } from '../../shared/guards.ts'
import { guarded } from './guard.ts'
import { rootRoute } from './root.tsx'
import { defined, text } from './search.ts'

const SignInScreen = lazyRouteComponent(
  () => import('../features/accounts/sign-in-screen.tsx'),
  'SignInScreen',
)
const SignedOutScreen = lazyRouteComponent(
  () => import('../features/accounts/signed-out-screen.tsx'),
  'SignedOutScreen',
)

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ error: text(search.error), callbackUrl: text(search.callbackUrl) }),
  beforeLoad: guarded('unauthenticated-only', SIGNED_IN_TARGET),
  component: SignInScreen,
})

export const signOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signout',
  beforeLoad: guarded('public'),
  component: SignedOutScreen,
})
