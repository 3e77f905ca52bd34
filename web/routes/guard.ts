import { redirect } from '@tanstack/react-router'
import { type Guard, redirectFor } from '../../shared/access/guards.ts'
import { getSession, getVisitor, loadSession } from '../session/session.ts'
import { signInAddress } from '../session/sign-in-address.ts'
import { getSite } from '../session/site.ts'

type Visit = { location: { pathname: string; href: string }; preload: boolean }

/**
 * Returns the `beforeLoad` of a route with this guard, by default signed-in users only [2.19]:
 * `beforeLoad: guardRoute('admin')`. `target` is where an unauthenticated-only route redirects signed-in
 * users.
 */
export function guardRoute(guard: Guard = 'signed-in', target?: string) {
  return async ({ location: { pathname, href }, preload }: Visit) => {
    if (getSession().status === 'loading') await loadSession()
    const redirectTarget = redirectFor(guard, pathname, getVisitor(), target)
    if (redirectTarget === 'sign-in') throw redirect({ href: await enterSignIn(href, preload) })
    if (redirectTarget !== null) throw redirect({ href: redirectTarget })
  }
}

/**
 * Returns the address of the sign-in page. With another provider it first redirects the browser to that
 * provider, and returns the address, with an error, only if this failed [2.20].
 */
async function enterSignIn(path: string, preload: boolean): Promise<string> {
  const { login_provider } = getSite()
  if (login_provider === 'local' || preload) return signInAddress(path)
  const { startProviderSignIn } = await import('../session/provider-sign-in.ts')
  const error = await startProviderSignIn(login_provider, path).catch(() => 'OAuthSignin')
  return signInAddress(path, error)
}
