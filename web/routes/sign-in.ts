import { createRoute } from '@tanstack/react-router'
import { SIGNED_IN_TARGET } from '../../shared/guards.ts'
import { safeCallback } from '../session/sign-in-address.ts'
import { guarded } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'
import { defined, text } from './search.ts'

const SignInScreen = lazyScreen(() => import('../features/accounts/sign-in-screen.tsx'), 'SignInScreen')
const SignedOutScreen = lazyScreen(
  () => import('../features/accounts/signed-out-screen.tsx'),
  'SignedOutScreen',
)

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ error: text(search.error), code: text(search.code), callbackUrl: text(search.callbackUrl) }),
  // Also for those who are signed in by now: in another tab, or at a provider.
  beforeLoad: ({ search, ...visit }) =>
    guarded('unauthenticated-only', safeCallback(search.callbackUrl, SIGNED_IN_TARGET))(visit),
  component: SignInScreen,
})

export const signOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signout',
  beforeLoad: guarded('public'),
  component: SignedOutScreen,
})
