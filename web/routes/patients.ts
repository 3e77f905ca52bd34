import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, oneOf, text } from './search.ts'

const PatientsPage = lazyScreen(() => import('./pages/patients-page.tsx'), 'PatientsPage')
const PatientPage = lazyScreen(() => import('./pages/patient-page.tsx'), 'PatientPage')

export const patientsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/patients',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ q: text(search.q), tab: oneOf(['linkuri'], search.tab) }),
  beforeLoad: guardRoute('admin'),
  component: PatientsPage,
})

export const patientRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/patients/$patientId',
  /** The link with results whose history is open. */
  validateSearch: (search: Record<string, unknown>) => defined({ share: text(search.share) }),
  beforeLoad: guardRoute('admin'),
  component: PatientPage,
})
