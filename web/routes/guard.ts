import { redirect } from '@tanstack/react-router'
import { type Guard, redirectFor } from '../../shared/guards.ts'
import { getSession, getVisitor, loadSession } from '../session/session.ts'
import { signInAddress } from '../session/sign-in-address.ts'

type Location = { pathname: string; href: string }

/**
 * A route's protection, declared by the route itself [2.19]: `beforeLoad: guarded('admin')`. `target` is where an
 * unauthenticated-only route sends people who are signed in.
 */
export function guarded(guard: Guard, target?: string) {
  return async ({ location }: { location: Location }) => {
    if (getSession().status === 'loading') await loadSession()
    const place = redirectFor(guard, location.pathname, getVisitor(), target)
    if (place !== null) throw redirect({ href: place === 'sign-in' ? signInAddress(location.href) : place })
  }
}
