import { invalidateSession, postSignIn } from './session.ts'

/** After how long, in milliseconds, a browser that was sent to a provider counts as still here [9.3]. */
const REDIRECT_TIMEOUT_MS = 60_000

/**
 * Sends the browser to the login page of a provider [2.20], which sends it back to the path `callbackUrl`. While the
 * browser leaves, this waits; it rejects where the server names no such page, or the browser is still here after 60 s [9.3].
 */
export async function startProviderSignIn(provider: string, callbackUrl: string): Promise<never> {
  const url = await postSignIn(`signin/${provider}`, { callbackUrl })
  const error = url.searchParams.get('error')
  if (url.origin === location.origin && error) throw new Error(`${provider}: ${error}`)
  // The token of an earlier session would be taken for one of the session to come.
  invalidateSession()
  location.assign(url)
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${provider}: the browser has not left`)), REDIRECT_TIMEOUT_MS)
  })
}
