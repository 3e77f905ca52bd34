import { registerHooks } from 'node:module'

/**
 * Loaded before the product (`--import`): its journal's one verb does nothing. The product has no such switch; this says what
 * the journal costs.
 */
registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/server/features/audit/record-audit.ts')
      ? { format: 'module', source: 'export const recordAudit = async () => undefined', shortCircuit: true }
      : nextLoad(url, context),
})
