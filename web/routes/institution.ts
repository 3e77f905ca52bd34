import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { institutionLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, flag, oneOf, text } from './search.ts'

const InstitutionHome = lazyScreen(() => import('../features/inbox/institution-home.tsx'), 'InstitutionHome')

export const institutionRoute = createRoute({
  getParentRoute: () => institutionLayout,
  path: '/institution',
  /** The only screen of an institution: the tab, the filters and the open result are in the address. */
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      tab: oneOf(['pacienti', 'trimite', 'profil'], search.tab),
      q: text(search.q),
      unread: flag(search.unread),
      patient: text(search.patient),
      upload: text(search.upload),
    }),
  beforeLoad: guardRoute('institution'),
  component: InstitutionHome,
})
