import type { Feature } from './features.ts'
import { type Guard, redirectFor, type Visitor } from './guards.ts'
import type { Role } from './roles.ts'
import type { SCREENS } from './site-map.ts'

/** A screen, or a tab of a screen, that the navigation and the search list by its name. */
export type Place = {
  to: (typeof SCREENS)[number]
  search?: Record<string, string>
  title: string
  /** For narrow layouts. */
  shortTitle?: string
  icon: 'dashboard' | 'file-check' | 'users' | 'hospital' | 'folders' | 'history' | 'settings' | 'inbox'
  /** Further keywords for the search. */
  words: string
  guard: Guard
  role?: Role
  /** Shown only to users with this feature. */
  feature?: Feature
}

export const PLACES: readonly Place[] = [
  {
    to: '/dashboard',
    title: 'Tablou de bord',
    shortTitle: 'Tablou',
    icon: 'dashboard',
    words: 'statistici cifre',
    guard: 'review',
  },
  {
    to: '/uploads',
    title: 'Verificare',
    icon: 'file-check',
    words: 'de verificat încărcări coadă',
    guard: 'review',
  },
  { to: '/patients', title: 'Pacienți', icon: 'users', words: 'persoane căutare CNP', guard: 'admin' },
  {
    to: '/institutions',
    title: 'Instituții',
    icon: 'hospital',
    words: 'clinici spitale parteneri cereri acces întrebări',
    guard: 'admin',
  },
  {
    to: '/bulk',
    title: 'Încărcările mele',
    shortTitle: 'Ale mele',
    icon: 'folders',
    words: 'operații în masă respinse de rezolvat în lucru',
    guard: 'admin',
    feature: 'patient::files',
  },
  {
    to: '/logs',
    title: 'Jurnal de activitate',
    shortTitle: 'Jurnal',
    icon: 'history',
    words: 'istoric audit',
    guard: 'admin',
  },
  {
    to: '/admin',
    title: 'Administrare',
    icon: 'settings',
    words: 'setări utilizatori conturi categorii',
    guard: 'admin',
    role: 'admin',
  },
  { to: '/institution', title: 'Rezultate', icon: 'inbox', words: 'primite noi', guard: 'institution' },
  {
    to: '/institution',
    search: { tab: 'pacienti' },
    title: 'Pacienți',
    icon: 'users',
    words: 'persoane trimise',
    guard: 'institution',
  },
  {
    to: '/institution',
    search: { tab: 'cereri' },
    title: 'Cereri de acces',
    icon: 'users',
    words: 'acces negăsit trimise',
    guard: 'institution',
  },
  {
    to: '/institution',
    search: { tab: 'intrebari' },
    title: 'Întrebări',
    icon: 'inbox',
    words: 'răspunsuri mesaje centru',
    guard: 'institution',
    feature: 'patient::files',
  },
  {
    to: '/institution',
    search: { tab: 'profil' },
    title: 'Profil',
    icon: 'hospital',
    words: 'date contact adresă instituție',
    guard: 'institution',
    feature: 'profile::institution',
  },
]

/** Returns the places that a user may open, in the order of the navigation. */
export const placesOf = (visitor: Visitor): Place[] =>
  PLACES.filter(
    ({ to, guard, role = visitor.role, feature }) =>
      role === visitor.role &&
      (!feature || visitor.features.has(feature)) &&
      redirectFor(guard, to, visitor) === null,
  )

export const addressOf = ({ to, search }: Place): string =>
  search ? `${to}?${new URLSearchParams(search)}` : to
