import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'
import { defined, text } from './search.ts'

const PatientsScreen = lazyScreen(() => import('../features/patients/patients-screen.tsx'), 'PatientsScreen')
const PatientPage = lazyScreen(() => import('./pages/patient-page.tsx'), 'PatientPage')

export const patientsRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/patients',
  validateSearch: (search: Record<string, unknown>) => defined({ q: text(search.q) }),
  beforeLoad: guardRoute('admin'),
  component: PatientsScreen,
})

export const patientRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/patients/$patientId',
  beforeLoad: guardRoute('admin'),
  component: PatientPage,
})
