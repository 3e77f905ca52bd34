import { createRouter } from '@tanstack/react-router'
import { accountLinkRoute } from './routes/account-link.ts'
import { adminRoute } from './routes/admin.ts'
import { bulkRoute } from './routes/bulk.ts'
import { dashboardRoute } from './routes/dashboard.ts'
import { incidentRoute } from './routes/incidents.ts'
import { institutionRoute } from './routes/institution.ts'
import { institutionDetailRoute, institutionsRoute } from './routes/institutions.ts'
import { adminLayout, defaultLayout, institutionLayout } from './routes/layouts.ts'
import { logsRoute } from './routes/logs.ts'
import { patientRoute, patientsRoute } from './routes/patients.ts'
import { rootRoute } from './routes/root.tsx'
import { stringifySearch } from './routes/search.ts'
import { shareCodeRoute, shareRoute } from './routes/shares.ts'
import { signInRoute, signOutRoute } from './routes/sign-in.ts'
import { uploadRoute, uploadsRoute } from './routes/uploads.ts'

/** The site map. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signOutRoute,
    accountLinkRoute,
    shareCodeRoute,
    shareRoute,
    defaultLayout.addChildren([dashboardRoute, uploadsRoute, uploadRoute]),
    adminLayout.addChildren([
      patientsRoute,
      patientRoute,
      institutionsRoute,
      institutionDetailRoute,
      bulkRoute,
      incidentRoute,
      logsRoute,
      adminRoute,
    ]),
    institutionLayout.addChildren([institutionRoute]),
  ]),
  stringifySearch,
  defaultPreload: 'intent',
  trailingSlash: 'never',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
