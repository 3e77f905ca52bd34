import { createRootRoute, Outlet, redirect, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { redirectFor } from '../../shared/access/guards.ts'
import { beforeNavigation } from '../builds/before-navigation.ts'
import { setBlockedLink } from '../session/blocked-link.ts'
import { keepSession } from '../session/keep-session.ts'
import {
  getSession,
  getVisitor,
  loadSession,
  renewWithSession,
  subscribeSession,
} from '../session/session.ts'
import { NotFoundPage } from '../ui/page/error-page.tsx'
import { UiProvider } from '../ui/provider/ui-provider.tsx'
import { RouteErrorPage, SiteMark } from './error-page.tsx'

// Runs whenever the page becomes visible, and when the server has reported changed settings.
renewWithSession(async () => {
  const refreshing = await import('../session/refresh-site.ts').catch(() => null)
  await refreshing?.refreshSite()
})

export const rootRoute = createRootRoute({
  // Applies to every path, also to one without a route: an institution's user has one home [6.2].
  beforeLoad: async ({ location, preload }) => {
    if (!preload) await beforeNavigation.wait?.(location.pathname)
    if (getSession().status === 'loading') await loadSession()
    const visitor = getVisitor()
    const redirectPath =
      visitor?.role === 'institution' ? redirectFor('public', location.pathname, visitor) : null
    if (redirectPath === null) return
    if (!preload && location.pathname.startsWith('/cont/')) setBlockedLink(location.pathname)
    throw redirect({ href: redirectPath })
  },
  component: Root,
  notFoundComponent: UnmatchedRoute,
  errorComponent: RouteErrorPage,
})

function Root() {
  const router = useRouter()
  useEffect(keepSession, [])
  // After sign-out, here or by the server, the screen is replaced [4.3].
  useEffect(() => {
    let previous = getSession()
    return subscribeSession(() => {
      const current = getSession()
      if (previous.status === 'authenticated') {
        if (current.status === 'unauthenticated') void router.navigate({ to: '/signout' })
        // The rights may have changed: the guards run again for the current screen.
        else if (current.status === 'authenticated') void router.invalidate()
      }
      previous = current
    })
  }, [router])
  return (
    <UiProvider>
      <Outlet />
    </UiProvider>
  )
}

function UnmatchedRoute() {
  const path = useRouterState({ select: ({ location }) => location.href })
  return <NotFoundPage mark={<SiteMark />} message={`Page not found: ${path}`} />
}
