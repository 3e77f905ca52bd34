import { registerHooks } from 'node:module'

/**
 * Loaded before the product (`--import`): replaces `recordAudit` and `recordAudits` with a function that does nothing, to measure the cost of
 * the audit log. The product has no setting for this.
 */
registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/server/features/audit/record-audit.js')
      ? {
          format: 'module',
          source: `export const recordAudit = async () => undefined
            export const recordAudits = recordAudit
            export const describeAudit = () => '[]'
            export { addAuditRows } from './audit.db.js'`,
          shortCircuit: true,
        }
      : nextLoad(url, context),
})
