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

// Whenever the page is seen again, and whenever somebody is told that the settings have changed.
renewWithSession(async () => {
  const refreshing = await import('../session/refresh-site.ts').catch(() => null)
  await refreshing?.refreshSite()
})

export const rootRoute = createRootRoute({
  // Holds for every path, also one that no route has: an institution's user has one home [6.2].
  beforeLoad: async ({ location, preload }) => {
    if (!preload) await beforeNavigation.wait?.(location.pathname)
    if (getSession().status === 'loading') await loadSession()
    const visitor = getVisitor()
    const place = visitor?.role === 'institution' ? redirectFor('public', location.pathname, visitor) : null
    if (place === null) return
    if (!preload && location.pathname.startsWith('/cont/')) setBlockedLink(location.pathname)
    throw redirect({ href: place })
  },
  component: Root,
  notFoundComponent: UnmatchedRoute,
  errorComponent: RouteErrorPage,
})

function Root() {
  const router = useRouter()
  useEffect(keepSession, [])
  // Signed out here or by the server: whatever is on the screen goes [4.3].
  useEffect(() => {
    let before = getSession()
    return subscribeSession(() => {
      const after = getSession()
      if (before.status === 'authenticated') {
        if (after.status === 'unauthenticated') void router.navigate({ to: '/signout' })
        // May do more or less than before: the guards look again at where they are.
        else if (after.status === 'authenticated') void router.invalidate()
      }
      before = after
    })
  }, [router])
  return (
    <UiProvider>
      <Outlet />
    </UiProvider>
  )
}

function UnmatchedRoute() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return <NotFoundPage mark={<SiteMark />} message={`Page not found: ${path}`} />
}
