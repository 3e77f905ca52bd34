import { type Guard, redirectFor } from '../../../shared/guards.ts'
import { queryWords, searchWords } from '../../../shared/names.ts'
import type { Role } from '../../../shared/roles.ts'
import type { UserActor } from '../../context.ts'

/** A place to go to: its address, its name, and other words that people may look for it by. */
export type Screen = { address: string; title: string; words: string; guard: Guard; role?: Role }

const SCREENS: readonly Screen[] = [
  { address: '/dashboard', title: 'Tablou de bord', words: 'statistici cifre', guard: 'review' },
  { address: '/uploads', title: 'De verificat', words: 'verificare încărcări coadă', guard: 'review' },
  { address: '/patients', title: 'Pacienți', words: 'persoane căutare CNP', guard: 'admin' },
  { address: '/institutions', title: 'Instituții', words: 'clinici spitale parteneri', guard: 'admin' },
  {
    address: '/bulk',
    title: 'Operații în masă',
    words: 'încarcă fișiere import trimite rezultate',
    guard: 'admin',
  },
  { address: '/logs', title: 'Jurnal de activitate', words: 'istoric audit', guard: 'admin' },
  {
    address: '/admin',
    title: 'Administrare',
    words: 'setări utilizatori conturi categorii',
    guard: 'admin',
    role: 'admin',
  },
  { address: '/institution', title: 'Rezultate', words: 'primite noi', guard: 'institution' },
  {
    address: '/institution?tab=pacienti',
    title: 'Pacienți',
    words: 'persoane trimise',
    guard: 'institution',
  },
]

/** The screens that the actor may open and that the text speaks of; all of them where it is empty. */
export function findScreens({ role, features }: UserActor, text: string): Screen[] {
  const wanted = queryWords(text)
  return SCREENS.filter((screen) => {
    const [path = ''] = screen.address.split('?')
    if (redirectFor(screen.guard, path, { role, features }) !== null) return false
    return screen.role === undefined || screen.role === role
  }).filter(({ title, words }) => answersAll(wanted, `${title} ${words}`))
}

/** Whether each word begins one of the text's. */
export function answersAll(wanted: readonly string[], text: string): boolean {
  const words = searchWords(text)
  return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))
}
