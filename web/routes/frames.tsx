import { ApolloProvider } from '@apollo/client/react'
import { Outlet } from '@tanstack/react-router'
import { type ComponentType, Suspense, useState } from 'react'
import type { Visitor } from '../../shared/access/guards.ts'
import { placesOf } from '../../shared/access/places.ts'
import { ROLE_NAMES } from '../../shared/access/roles.ts'
import { client } from '../api/client.ts'
import { BuildNotice } from '../builds/build-notice.tsx'
import { announceNewerBuild } from '../builds/newer-build.ts'
import { loadCategories, refreshCategories } from '../features/categories/categories.ts'
import { useSearchPalette } from '../features/search/use-search-palette.tsx'
import { type SiteChange, useSiteChanges } from '../features/site/use-site-changes.ts'
import { AdminLayout } from '../layouts/admin-layout.tsx'
import { DefaultLayout } from '../layouts/default-layout.tsx'
import { InstitutionLayout } from '../layouts/institution-layout.tsx'
import type { NavigationItem, SignedInLayoutProps } from '../layouts/navigation.ts'
import { OfflineLine } from '../layouts/offline-line.tsx'
import { useIsOffline } from '../session/connection.ts'
import { refreshSession, signOut } from '../session/session.ts'
import { subscribeSite } from '../session/site.ts'
import { areHostsOutdated } from '../session/site-hosts.ts'
import { useSession } from '../session/use-session.ts'
import { useSite } from '../session/use-site.ts'
import { lazyNamed } from '../ui/base/lazy.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import { AriaProvider } from '../ui/provider/aria-provider.tsx'

// Part of this script, which the server's page preloads.
export { loadCategories }

const AccountSheet = lazyNamed(
  () => import('../features/own-account/own-account-sheet.tsx'),
  'OwnAccountSheet',
)

const navigation = (visitor: Visitor): NavigationItem[] =>
  placesOf(visitor).map(({ to, title, shortTitle, icon }) => ({
    to,
    label: title,
    shortLabel: shortTitle,
    icon,
  }))

/** Signs out, or says that nobody is: a page that hid it would leave the session open behind it. */
async function signOutAndReport(): Promise<void> {
  try {
    await signOut()
  } catch {
    showToast({
      tone: 'error',
      title: 'Sesiunea este încă deschisă',
      description: 'Deconectarea nu a ajuns la server. Poate lipsi conexiunea la rețea.',
      action: { label: 'Încearcă din nou', onAction: () => void signOutAndReport() },
    })
  }
}

/** What every layout takes; null in the moment between sign-out and the page that says so. */
function useFrame() {
  const { user } = useSession()
  const site = useSite()
  const [isAccountOpen, setAccountOpen] = useState(false)
  const search = useSearchPalette()
  const isOffline = useIsOffline()
  if (!user) return null
  return {
    brand: { name: site.name, logoUrl: site.logo_navigation, logoWidth: site.logo_navigation_width },
    user: { name: user.name, role: ROLE_NAMES[user.role], email: user.email },
    items: navigation({ role: user.role, features: new Set(user.features) }),
    onAccount: () => setAccountOpen(true),
    onSearch: search.open,
    onSignOut: () => void signOutAndReport(),
    banner: (
      <>
        <OfflineLine isOffline={isOffline} isFormal={user.role === 'institution'} />
        <BuildNotice />
      </>
    ),
    // The client is here and not at the root: the pages for nobody in particular do not load it.
    children: (
      <ApolloProvider client={client}>
        <Outlet />
        <SiteChanges />
        {search.palette}
        {isAccountOpen && (
          <Suspense>
            <AccountSheet onClose={() => setAccountOpen(false)} />
          </Suspense>
        )}
      </ApolloProvider>
    ),
  }
}

const REFETCHED_QUERIES: Record<SiteChange, () => unknown> = {
  // The site's features are a part of what the session says that somebody may do; the settings are renewed with it.
  SITE: () => refreshSession().catch(() => undefined),
  // Where they have not come yet, there is nothing to read anew.
  CATEGORIES: () => refreshCategories(),
  ACCOUNT: () => refreshSession().catch(() => undefined),
}

// Another host is within reach of a page that was loaded since: of the next one, as with a newer build.
const reloadIfHostsOutdated = () => {
  if (areHostsOutdated()) announceNewerBuild()
}
reloadIfHostsOutdated()
subscribeSite(reloadIfHostsOutdated)

/** Keeps what every page stands on up to date while it is open. */
function SiteChanges() {
  useSiteChanges((change) => REFETCHED_QUERIES[change]())
  return null
}

const frame = (Layout: ComponentType<SignedInLayoutProps>) =>
  function Frame() {
    const props = useFrame()
    return (
      props && (
        <AriaProvider>
          <Layout {...props} />
        </AriaProvider>
      )
    )
  }

export const DefaultFrame = frame(DefaultLayout)
export const AdminFrame = frame(AdminLayout)
export const InstitutionFrame = frame(InstitutionLayout)
