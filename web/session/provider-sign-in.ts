import { invalidateSession, postSignIn } from './session.ts'

/**
 * How long a browser that was redirected to a provider may stay on this page before the sign-in counts as
 * failed [9.3].
 */
const REDIRECT_TIMEOUT_MS = 60_000

/**
 * Redirects the browser to the login page of a provider [2.20], which redirects back to the path
 * `callbackUrl`. Never resolves; rejects if the server returns no such page, or if the browser is still here
 * after 60 s [9.3].
 */
export async function startProviderSignIn(provider: string, callbackUrl: string): Promise<never> {
  const url = await postSignIn(`signin/${provider}`, { callbackUrl })
  const error = url.searchParams.get('error')
  if (url.origin === location.origin && error) throw new Error(`${provider}: ${error}`)
  // Otherwise the token of an earlier session would be used in the new one.
  invalidateSession()
  recordLeaving()
  location.assign(url)
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${provider}: the browser has not left`)), REDIRECT_TIMEOUT_MS)
  })
}

/** Lets public/boot.js know after the return that the keys typed until then may be a password. */
function recordLeaving(): void {
  try {
    sessionStorage.setItem('dosar-provider-sign-in', '')
  } catch {
    // Storage is blocked.
  }
}
