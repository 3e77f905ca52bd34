import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { institutionLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { day, defined, oneOf, text } from './search.ts'

const InstitutionHome = lazyScreen(() => import('../features/inbox/institution-home.tsx'), 'InstitutionHome')

export const institutionRoute = createRoute({
  getParentRoute: () => institutionLayout,
  path: '/institution',
  /** The only screen of an institution: the tab, the filters and what is open are in the address. */
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      tab: oneOf(['pacienti', 'trimite', 'cereri', 'intrebari', 'profil'], search.tab),
      q: text(search.q),
      view: text(search.view),
      since: day(search.since),
      until: day(search.until),
      category: text(search.category),
      doctor: text(search.doctor),
      institution: text(search.institution),
      department: text(search.department),
      patient: text(search.patient),
      upload: text(search.upload),
      question: text(search.question),
      // The row that a notification opens: of what was sent, or of the requests for access.
      row: text(search.row),
    }),
  beforeLoad: guardRoute('institution'),
  component: InstitutionHome,
})
