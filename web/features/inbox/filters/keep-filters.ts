import type { InboxFilters } from '../../../../shared/uploads/inbox.ts'
import { client } from '../../../api/client.ts'
import { loadSession } from '../../../session/session.ts'
import { KEEP_FILTERS } from '../inbox.queries.ts'
import { variablesOf } from './inbox-filters.ts'

let unsent: InboxFilters | null = null
let isSending = false

/**
 * Keeps the filters with the account, for the next visit on any computer. One request at a time, so that the last filters are
 * those that are kept; one that fails is not repeated, since the next change sends all of them.
 */
export async function keepFilters(filters: InboxFilters): Promise<void> {
  unsent = filters
  if (isSending) return
  isSending = true
  while (unsent) {
    const { search: _, ...variables } = variablesOf(unsent, '')
    unsent = null
    await client.mutate({ mutation: KEEP_FILTERS, variables, fetchPolicy: 'no-cache' }).catch(() => undefined)
  }
  isSending = false
  // The session has the filters that the list begins with when it is opened again.
  await loadSession().catch(() => undefined)
}
