import type { TypePolicies } from '@apollo/client'

type Page = { nodes: readonly unknown[] }

/** A list that is read page by page with a cursor; the pages of one question, which `keyArgs` tell apart, stand one after another. */
function pages(...keyArgs: string[]) {
  return {
    keyArgs,
    merge: (
      existing: Page | undefined,
      incoming: Page,
      { args }: { args: Record<string, unknown> | null },
    ): Page =>
      args?.after && existing ? { ...incoming, nodes: [...existing.nodes, ...incoming.nodes] } : incoming,
  }
}

/** How the cache keeps what it is told. Every list of the schema has its pages here, by test. */
export const typePolicies = {
  Query: {
    fields: {
      patients: pages('search'),
      institutions: pages('search', 'open'),
      uploads: pages('states', 'category', 'institutionId', 'mine', 'since', 'unopened', 'search'),
      myUploads: pages('states'),
      inbox: pages('unread', 'search'),
      users: pages('search', 'role', 'status', 'institutionId'),
      messages: pages('state'),
      auditEvents: pages('from', 'to', 'actorId', 'action', 'patientId', 'outcome', 'withoutReads'),
      patientAccess: pages('patientId'),
    },
  },
  Patient: { fields: { uploads: pages(), can: { merge: true } } },
  Upload: { fields: { can: { merge: true } } },
} satisfies TypePolicies
