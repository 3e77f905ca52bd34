import type { Screen } from '../../../shared/access/site-map.ts'

/** The modules of every screen of a signed-in user: the layout, and with it the categories. */
const FRAME = ['web/routes/frames.tsx']

/**
 * The modules that `web/routes/` imports for each screen, beside the page's own script. The server's page
 * preloads their scripts. A module that is missing from the build stops the build.
 */
export const SCREEN_MODULES: Readonly<Record<Screen, readonly string[]>> = {
  '/': [],
  '/signout': ['web/features/sign-in/signed-out-screen.tsx'],
  '/cont/$token': ['web/features/sign-in/account-link-screen.tsx'],
  '/s': ['web/features/shared-results/share-code-screen.tsx'],
  '/s/$token': ['web/features/shared-results/share-screen.tsx'],
  '/dashboard': [...FRAME, 'web/routes/pages/dashboard-page.tsx'],
  '/uploads': [...FRAME, 'web/features/queue/queue-screen.tsx'],
  '/uploads/$uploadId': [...FRAME, 'web/features/reviews/upload-screen.tsx'],
  '/patients': [...FRAME, 'web/routes/pages/patients-page.tsx'],
  '/patients/$patientId': [...FRAME, 'web/routes/pages/patient-page.tsx'],
  '/institutions': [...FRAME, 'web/routes/pages/institutions-page.tsx'],
  '/institutions/$institutionId': [...FRAME, 'web/routes/pages/institution-page.tsx'],
  '/bulk': [...FRAME, 'web/features/bulk/bulk-screen.tsx'],
  '/incidents/$incidentId': [...FRAME, 'web/features/incidents/incident-screen.tsx'],
  '/logs': [...FRAME, 'web/features/audit/logs-screen.tsx'],
  '/admin': [...FRAME, 'web/routes/pages/admin-page.tsx'],
  '/institution': [...FRAME, 'web/features/inbox/institution-home.tsx'],
}

/** Whether a screen is for signed-in users alone. */
export const isBehindSignIn = (screen: Screen): boolean => SCREEN_MODULES[screen].includes(FRAME[0]!)
