import { ApolloProvider } from '@apollo/client/react'
import { Outlet } from '@tanstack/react-router'
import { ROLE_NAMES } from '../../shared/roles.ts'
import { client } from '../api/client.ts'
import { AdminLayout } from '../layouts/admin-layout.tsx'
import { DefaultLayout } from '../layouts/default-layout.tsx'
import { InstitutionLayout } from '../layouts/institution-layout.tsx'
import type { NavigationItem } from '../layouts/navigation.ts'
import { type SessionUser, signOut } from '../session/session.ts'
import { site } from '../session/site.ts'
import { useSession } from '../session/use-session.ts'

function navigation({ role, features }: SessionUser): NavigationItem[] {
  const reviews = features.includes('admin::review-files')
  const review: NavigationItem[] = [
    { to: '/dashboard', label: 'Tablou de bord', shortLabel: 'Tablou', icon: 'dashboard' },
    { to: '/uploads', label: 'De verificat', shortLabel: 'Verificare', icon: 'file-check' },
  ]
  const everybody: NavigationItem[] = [
    { to: '/patients', label: 'Pacienți', icon: 'users' },
    { to: '/institutions', label: 'Instituții', icon: 'hospital' },
    { to: '/bulk', label: 'Operații în masă', shortLabel: 'În masă', icon: 'folders' },
    { to: '/logs', label: 'Jurnal de activitate', shortLabel: 'Jurnal', icon: 'history' },
  ]
  const admin: NavigationItem[] = [{ to: '/admin', label: 'Administrare', icon: 'settings' }]
  return [...(reviews ? review : []), ...everybody, ...(role === 'admin' ? admin : [])]
}

/** What every layout takes; null in the moment between sign-out and the page that says so. */
function useFrame() {
  const { user } = useSession()
  if (!user) return null
  return {
    brand: { name: site.name, logoUrl: site.logo_navigation, logoWidth: site.logo_navigation_width },
    user: { name: user.name, role: ROLE_NAMES[user.role], email: user.email },
    items: navigation(user),
    onSignOut: () => void signOut(),
    // The client is here and not at the root: the pages for nobody in particular do not load it.
    children: (
      <ApolloProvider client={client}>
        <Outlet />
      </ApolloProvider>
    ),
  }
}

export function DefaultFrame() {
  const frame = useFrame()
  return frame && <DefaultLayout {...frame} />
}

export function AdminFrame() {
  const frame = useFrame()
  return frame && <AdminLayout {...frame} />
}

export function InstitutionFrame() {
  const frame = useFrame()
  return frame && <InstitutionLayout {...frame} />
}
