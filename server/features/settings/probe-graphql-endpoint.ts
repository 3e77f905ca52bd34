import { z } from 'zod'

/** Milliseconds: an administrator waits for it. */
const PROBE_TIMEOUT_MS = 3000

/** Of the specification of GraphQL; a server that refuses a stranger has errors alone. */
const fetchProbe = z.union([
  z.object({ data: z.object({ __typename: z.string() }) }),
  z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
])

/** Whether something that speaks GraphQL is at `{origin}/graphql`. It is told nothing of anybody, and led nowhere else. */
export async function probeGraphqlEndpoint(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    return fetchProbe.safeParse(await response.json()).success
  } catch {
    return false
  }
}
