import { z } from 'zod'

/** Short because an administrator waits for the result. */
const PROBE_TIMEOUT_MS = 3000

/** A response of a GraphQL server; one that rejects unknown clients returns only errors. */
const probeResponse = z.union([
  z.object({ data: z.object({ __typename: z.string() }) }),
  z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
])

/**
 * Returns whether `{origin}/graphql` responds as a GraphQL server. Sends no credentials and follows no
 * redirect.
 */
export async function probeGraphqlEndpoint(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    return probeResponse.safeParse(await response.json()).success
  } catch {
    return false
  }
}
