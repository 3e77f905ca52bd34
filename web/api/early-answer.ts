import { takeEarlyResponse } from '../loading/early-responses.ts'
import { readClaims } from '../session/token/token-claims.ts'

/**
 * Returns the answer to the question that the page asked before its scripts had loaded, if user, document and variables are
 * those of the request; otherwise sends the request.
 */
export function takeEarlyAnswer(
  { headers, body }: RequestInit,
  send: () => Promise<Response>,
): Promise<Response> {
  if (!globalThis.earlyResponses?.size || typeof body !== 'string') return send()
  const { variables, extensions } = JSON.parse(body)
  const token = new Headers(headers).get('authorization')?.replace('Bearer ', '')
  const hash = extensions?.persistedQuery?.sha256Hash
  return takeEarlyResponse(`${readClaims(token).sub} ${hash} ${JSON.stringify(variables)}`, send)
}
