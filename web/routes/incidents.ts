import { createRoute } from '@tanstack/react-router'
import { guardRoute } from './guard.ts'
import { adminLayout } from './layouts.ts'
import { lazyScreen } from './lazy-screen.ts'

const IncidentScreen = lazyScreen(() => import('../features/incidents/incident-screen.tsx'), 'IncidentScreen')

export const incidentRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/incidents/$incidentId',
  beforeLoad: guardRoute('admin'),
  component: IncidentScreen,
})
