import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import {
  AUDIT_EXPORT_PATH,
  INSTITUTIONS_EXPORT_PATH,
  LEDGER_EXPORT_PATH,
  PATIENTS_EXPORT_PATH,
  UPLOADS_EXPORT_PATH,
} from '../shared/csv/csv-exports.ts'
import { PATIENT_IMPORTS_PATH } from '../shared/imports/patient-imports.ts'
import { INCIDENT_REPORTS_PATH } from '../shared/incidents/incidents.ts'
import { INTAKE_PATH } from '../shared/integrations.ts'
import { PAGE_ERRORS_PATH } from '../shared/page-errors.ts'
import { PATIENT_RECORDS_PATH } from '../shared/patients.ts'
import { SHARES_PATH } from '../shared/shares/shares.ts'
import { OPERATIONS_PATH } from '../shared/uploads/operations.ts'
import { authRoutes } from './http/auth/auth.ts'
import { passwordResetRoutes } from './http/auth/password-reset.ts'
import { keySetRoutes, tokenRoutes } from './http/auth/token.ts'
import { auditExportRoutes } from './http/files/audit-export.ts'
import { downloadRoutes } from './http/files/downloads.ts'
import { incidentReportRoutes } from './http/files/incident-report.ts'
import {
  institutionsExportRoutes,
  ledgerExportRoutes,
  patientsExportRoutes,
  uploadsExportRoutes,
} from './http/files/list-exports.ts'
import { operationExceptionRoutes } from './http/files/operation-exceptions.ts'
import { patientImportRoutes } from './http/files/patient-imports.ts'
import { patientRecordRoutes } from './http/files/patient-records.ts'
import { siteImageRoutes, siteImageUploadRoutes } from './http/files/site-images.ts'
import { uploadRoutes } from './http/files/uploads.ts'
import { graphqlRoutes } from './http/graphql/graphql.ts'
import { healthRoutes } from './http/health.ts'
import { intakeRoutes } from './http/intake/intake.ts'
import { clientAddress, isForwarded } from './http/middleware/client-address.ts'
import { handleError } from './http/middleware/error-handler.ts'
import { requireSameOrigin } from './http/middleware/same-origin.ts'
import { securityHeaders } from './http/middleware/security-headers.ts'
import { type FrontEnd, openBuiltFrontEnd } from './http/pages/front-end.ts'
import { pageErrorRoutes } from './http/pages/page-errors.ts'
import { createPageRenderer, pageRoutes } from './http/pages/pages.ts'
import { siteRoutes } from './http/pages/site.ts'
import { sharedFileRoutes } from './http/shares/shared-files.ts'
import type { Env } from './http/types.ts'
import { schema } from './schema.ts'
import type { Services } from './services.ts'

/**
 * Creates all routes of the product, in the order in which they are matched; the default front end is the
 * built one.
 */
export function createApp(services: Services, frontEnd: FrontEnd = openBuiltFrontEnd()): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(handleError(services))
  const { trustProxy } = services.config
  app.use(async (c, next) => {
    const ip = clientAddress(c, trustProxy)
    if (!trustProxy && isForwarded(c)) services.untrustedProxy.report(ip)
    c.set('requestOrigin', {
      id: randomUUID(),
      ip,
      userAgent: c.req.header('user-agent')?.slice(0, 300) ?? null,
      origin: 'web',
    })
    await next()
  })
  app.use(securityHeaders(services.config))
  app.use(requireSameOrigin(services.config))
  app.route('/healthz', healthRoutes(services))
  app.route('/api/auth', authRoutes(services))
  app.route('/api/password-reset', passwordResetRoutes(services))
  app.route('/api/token', tokenRoutes(services))
  app.route(AUDIT_EXPORT_PATH, auditExportRoutes(services))
  app.route(PATIENTS_EXPORT_PATH, patientsExportRoutes(services))
  app.route(INSTITUTIONS_EXPORT_PATH, institutionsExportRoutes(services))
  app.route(UPLOADS_EXPORT_PATH, uploadsExportRoutes(services))
  app.route(LEDGER_EXPORT_PATH, ledgerExportRoutes(services))
  app.route(PATIENT_RECORDS_PATH, patientRecordRoutes(services))
  app.route(INCIDENT_REPORTS_PATH, incidentReportRoutes(services))
  app.route(OPERATIONS_PATH, operationExceptionRoutes(services))
  app.route(INTAKE_PATH, intakeRoutes(services))
  app.route(PATIENT_IMPORTS_PATH, patientImportRoutes(services))
  app.route('/api/site', siteRoutes(services))
  app.route(PAGE_ERRORS_PATH, pageErrorRoutes(services))
  app.route('/api/site-images', siteImageUploadRoutes(services))
  app.route('/site-images', siteImageRoutes(services))
  app.route('/.well-known/jwks.json', keySetRoutes(services))
  app.route('/graphql', graphqlRoutes(services, schema, frontEnd.operations))
  // Uploads and downloads share the path but not the HTTP methods.
  app.route('/files', uploadRoutes(services))
  const renderPage = createPageRenderer(services, frontEnd)
  app.route('/files', downloadRoutes(services, renderPage))
  app.route(SHARES_PATH, sharedFileRoutes(services))
  app.route('/', pageRoutes(frontEnd, renderPage))
  return app
}
