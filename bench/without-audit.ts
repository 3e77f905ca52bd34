import { registerHooks } from 'node:module'

/**
 * Loaded before the product (`--import`): lets `recordAudit` and `recordAudits` of the built server do nothing, to measure the cost of
 * the audit log. The product has no setting for this.
 */
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!/\/dist-server\/[^/]+\.js$/.test(url)) return loaded
    const built = String(loaded.source)
    const source = built
      .replace(/^async function recordAudits?\(.*\{$/gm, '$& return;')
      .replace(/^(const|var) describeAudit = \(.*\) => /m, '$&true ? "[]" : ')
    if (url.endsWith('/start-server.js') && source === built)
      throw new Error('bench/without-audit.ts: the built server has no recordAudit')
    return { ...loaded, source }
  },
})
