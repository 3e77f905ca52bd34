import { ApolloProvider } from '@apollo/client/react'
import { Outlet, useRouter } from '@tanstack/react-router'
import {
  type ComponentType,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Visitor } from '../../shared/access/guards.ts'
import { placesOf } from '../../shared/access/places.ts'
import { ROLE_NAMES } from '../../shared/access/roles.ts'
import { client } from '../api/client.ts'
import { finishProof, isProofAsked, subscribeProof } from '../api/fresh-proof.ts'
import { BuildNotice } from '../builds/build-notice.tsx'
import { announceNewerBuild } from '../builds/newer-build.ts'
import { loadCategories, refreshCategories } from '../features/categories/categories.ts'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { useSearchPalette } from '../features/search/use-search-palette.tsx'
import { passListChange } from '../features/site/use-list-changes.ts'
import { type SiteChange, useSiteChanges } from '../features/site/use-site-changes.ts'
import { AdminLayout } from '../layouts/admin-layout.tsx'
import { DefaultLayout } from '../layouts/default-layout.tsx'
import { InstitutionLayout } from '../layouts/institution-layout.tsx'
import type { NavigationItem, SignedInLayoutProps } from '../layouts/navigation.ts'
import { OfflineLine } from '../layouts/offline-line.tsx'
import { startIdleTasks } from '../loading/when-idle.ts'
import { isUnreachable } from '../page-errors/error-facts.ts'
import { onPersonChange } from '../session/person-change.ts'
import { reportUse } from '../session/report-use.ts'
import { refreshSession, signOut } from '../session/session.ts'
import { subscribeSite } from '../session/site.ts'
import { areHostsOutdated } from '../session/site-hosts.ts'
import { useIsOffline } from '../session/use-is-offline.ts'
import { useSession } from '../session/use-session.ts'
import { useSite } from '../session/use-site.ts'
import { lazyNamed } from '../ui/base/lazy.ts'
import { clearToasts, showToast } from '../ui/feedback/toast.tsx'
import { useIsIdle } from '../ui/hooks/use-is-idle.ts'
import { dropTyping } from '../ui/options/typed-ahead.ts'
import { AriaProvider } from '../ui/provider/aria-provider.tsx'
import { FrameCounts } from './frame/frame-counts.tsx'

// Exported here to be part of this script, which the server's page preloads.
export { loadCategories }

// Toasts name patients, and offer to undo what the user before has done.
onPersonChange(clearToasts)

const AccountSheet = lazyNamed(
  () => import('../features/own-account/own-account-sheet.tsx'),
  'OwnAccountSheet',
)

const FreshProofDialog = lazyNamed(
  () => import('../features/own-account/fresh-proof-dialog.tsx'),
  'FreshProofDialog',
)

const navigation = (
  visitor: Visitor,
  { notices, requests, inReview }: { notices: number; requests: number; inReview: string | undefined },
): NavigationItem[] =>
  placesOf(visitor).map(({ to, title, shortTitle, icon }) => ({
    to,
    label: title,
    shortLabel: shortTitle,
    icon,
    ...(to === '/bulk' && { count: notices, countLabel: `${notices} de rezolvat` }),
    ...(to === '/institutions' && { count: requests, countLabel: `${requests} de răspuns` }),
    ...(to === '/uploads' && inReview && { count: inReview, countLabel: `${inReview} de verificat` }),
  }))

/**
 * Signs out, or shows that the server was not reached: otherwise the user would leave with the session still
 * open. Any other error is unhandled, and shown as such [8.1].
 */
async function signOutOrWarn(): Promise<void> {
  try {
    await signOut()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    showToast({
      tone: 'error',
      title: 'Sesiunea este încă deschisă',
      description: 'Deconectarea nu a ajuns la server. Poate lipsi conexiunea la rețea.',
      action: { label: 'Încearcă din nou', onAction: () => void signOutOrWarn() },
    })
  }
}

/** Returns the props of every layout; null between sign-out and the page that shows it. */
function useFrame() {
  const { user } = useSession()
  const site = useSite()
  const [isAccountOpen, setAccountOpen] = useState(false)
  const [notices, setNotices] = useState(0)
  const [requests, setRequests] = useState(0)
  const [inReview, setInReview] = useState<string>()
  const [ownChanges, setOwnChanges] = useState(0)
  const search = useSearchPalette()
  const isOffline = useIsOffline()
  const isIdle = useIsIdle()
  if (!user) return null
  return {
    brand: { name: site.name, logoUrl: site.logo_navigation, logoWidth: site.logo_navigation_width },
    user: { name: user.name, role: ROLE_NAMES[user.role], email: user.email },
    items: navigation({ role: user.role, features: new Set(user.features) }, { notices, requests, inReview }),
    bell: (
      <ApolloProvider client={client}>
        <NotificationBell onSettings={() => setAccountOpen(true)} />
      </ApolloProvider>
    ),
    onAccount: () => setAccountOpen(true),
    onSearch: search.open,
    onSignOut: () => void signOutOrWarn(),
    banner: (
      <>
        <OfflineLine isOffline={isOffline} isFormal={user.role === 'institution'} />
        <BuildNotice />
      </>
    ),
    // The client is not provided at the root, so that public pages do not load it.
    children: (
      <ApolloProvider client={client}>
        <Outlet />
        <SiteChanges onOwnUploads={() => setOwnChanges((count) => count + 1)} />
        {isIdle && (
          <FrameCounts
            ownChanges={ownChanges}
            onNotices={setNotices}
            onRequests={setRequests}
            onInReview={setInReview}
          />
        )}
        {search.palette}
        <FreshProof />
        {isAccountOpen && (
          <Suspense>
            <AccountSheet onClose={() => setAccountOpen(false)} />
          </Suspense>
        )}
      </ApolloProvider>
    ),
  }
}

const REFRESH_BY_CHANGE: Record<Exclude<SiteChange, 'OWN_UPLOADS'>, () => unknown> = {
  // The site's features limit what the session allows, so the session is refreshed; the settings are
  // refreshed with it.
  SITE: () => refreshSession().catch(() => undefined),
  // Does nothing if the categories are not loaded yet.
  CATEGORIES: () => refreshCategories(),
  ACCOUNT: () => refreshSession().catch(() => undefined),
  ACCESS_REQUESTS: () => passListChange('ACCESS_REQUESTS'),
  QUESTIONS: () => passListChange('QUESTIONS'),
  NEWS: () => passListChange('NEWS'),
  SHARES: () => passListChange('SHARES'),
  NOTIFICATIONS: () => passListChange('NOTIFICATIONS'),
}

// Only a page loaded after the change may connect to another host, so the next screen is loaded as a new
// page.
const reloadIfHostsOutdated = () => {
  if (areHostsOutdated()) announceNewerBuild()
}
reloadIfHostsOutdated()
subscribeSite(reloadIfHostsOutdated)

/** Asks for a fresh proof while an act waits for one. */
function FreshProof() {
  const isAsked = useSyncExternalStore(subscribeProof, isProofAsked)
  useEffect(() => () => finishProof(false), [])
  return (
    isAsked && (
      <Suspense>
        <FreshProofDialog onFinish={finishProof} />
      </Suspense>
    )
  )
}

/** Keeps the settings, the categories and the session up to date while the page is open, and the session while it is used. */
function SiteChanges({ onOwnUploads }: { onOwnUploads: () => void }) {
  useSiteChanges((change) => (change === 'OWN_UPLOADS' ? onOwnUploads() : REFRESH_BY_CHANGE[change]()))
  useEffect(reportUse, [])
  return null
}

const frame = (Layout: ComponentType<SignedInLayoutProps>) =>
  function Frame() {
    const props = useFrame()
    const isSignedIn = props !== null
    const router = useRouter()
    // The page may have asked for the session seconds before its scripts ran. If it ended before the root follows it
    // (`root.tsx`), the guards have to run again: they lead to the sign-in.
    // biome-ignore lint/correctness/useExhaustiveDependencies: the root follows what comes later
    useEffect(() => {
      if (!isSignedIn) void router.invalidate()
    }, [])
    // While the page shows the frame that the server has drawn, this one is rendered with its screen in the background, in
    // steps between which the browser handles input.
    const isShown = useDeferredValue(true, document.getElementById('starting') === null)
    useLayoutEffect(() => {
      if (!isShown) return
      document.getElementById('starting')?.remove()
      startIdleTasks()
    }, [isShown])
    // By now the field of the screen has the focus, and the text that was typed before.
    useEffect(() => {
      if (isShown) dropTyping()
    }, [isShown])
    return (
      props &&
      isShown && (
        <AriaProvider>
          <Layout {...props} />
        </AriaProvider>
      )
    )
  }

export const DefaultFrame = frame(DefaultLayout)
export const AdminFrame = frame(AdminLayout)
export const InstitutionFrame = frame(InstitutionLayout)
