import { createRoute } from '@tanstack/react-router'
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import { signedInTarget } from '../session/sign-in-address.ts'
import { guardRoute } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'
import { defined, text } from './search.ts'

const SignedOutScreen = lazyScreen(
  () => import('../features/sign-in/signed-out-screen.tsx'),
  'SignedOutScreen',
)

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ error: text(search.error), code: text(search.code), callbackUrl: text(search.callbackUrl) }),
  // A user who was redirected here from a page and has signed in meanwhile, in another tab, gets that page
  // [2.20]; others get their home [2.1].
  beforeLoad: ({ search: { error, callbackUrl }, ...visit }) => {
    const requested = error?.startsWith('Session') ? callbackUrl : undefined
    return guardRoute('unauthenticated-only', signedInTarget(requested))(visit)
  },
  // Not lazy: the first screen of every user is part of the page's own script.
  component: SignInScreen,
})

export const signOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signout',
  beforeLoad: guardRoute('public'),
  component: SignedOutScreen,
})
