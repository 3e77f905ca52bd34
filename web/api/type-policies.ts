import type { TypePolicies } from '@apollo/client'

type Page = { nodes: readonly unknown[]; reasons?: readonly unknown[] }

/** Returns a page with the next one appended. */
export const appendPage = <P extends Page>(page: P, next: P): P => ({
  ...next,
  nodes: [...page.nodes, ...next.nodes],
  ...(next.reasons && { reasons: [...(page.reasons ?? []), ...next.reasons] }),
})

/**
 * Returns the cache policy of a list that is loaded page by page with a cursor. Pages of one query are
 * appended to each other; `keyArgs` distinguish the queries.
 */
function pages(...keyArgs: string[]) {
  return {
    keyArgs,
    merge: (
      existing: Page | undefined,
      incoming: Page,
      { args }: { args: Record<string, unknown> | null },
    ): Page => (args?.after && existing ? appendPage(existing, incoming) : incoming),
  }
}

/** The cache policies. A test proves that every paged list of the schema has its policy here. */
export const typePolicies = {
  Query: {
    fields: {
      patients: pages('search', 'institutionId'),
      institutions: pages('search', 'open'),
      uploads: pages(
        'states',
        'category',
        'institutionId',
        'mine',
        'since',
        'until',
        'unopened',
        'sender',
        'late',
        'search',
      ),
      institutionResults: pages('institutionId', 'days', 'olderThan', 'opened'),
      deliveryLedger: pages('uploadId', 'patientId'),
      myUploads: pages('states'),
      inbox: pages(
        'view',
        'since',
        'until',
        'category',
        'doctor',
        'institutionId',
        'departmentId',
        'ownDepartments',
        'search',
      ),
      sentUploads: pages(),
      users: pages('search', 'role', 'status', 'institutionId', 'order'),
      incidents: pages('open'),
      accessRequests: pages('decided'),
      ownAccessRequests: pages(),
      ownQuestions: pages(),
      openQuestions: pages(),
      messages: pages('state', 'undelivered'),
      auditEvents: pages('from', 'to', 'actorId', 'action', 'patientId', 'outcome', 'withoutReads'),
      patientAccess: pages('patientId'),
      operations: pages('all'),
      batches: pages('open'),
      patientImports: pages(),
      patientImportLines: pages('importId', 'outcome'),
    },
  },
  Membership: { keyFields: ['institutionId'] },
  Operation: { fields: { items: pages('outcome') } },
  Patient: { fields: { uploads: pages(), can: { merge: true } } },
  Batch: { fields: { groups: pages('filter') } },
  Upload: { fields: { can: { merge: true } } },
} satisfies TypePolicies
