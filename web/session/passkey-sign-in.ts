import { startAuthentication } from '@simplewebauthn/browser'
import { connectedFetch } from './connection.ts'
import { type SignInRejection, signIn } from './session.ts'
import { fetchCsrfToken } from './session-calls.ts'

/**
 * Signs in with a passkey, alone or as the second factor of a sign-in that has begun. Resolves to null on success. Rejects if
 * the server cannot be reached, or as the browser does when the user cancels.
 */
export async function signInWithPasskey(
  provider: 'passkey' | 'second-factor',
  shared = false,
): Promise<SignInRejection | null> {
  // The challenge is bound to the cookie of this token.
  await fetchCsrfToken()
  const response = await connectedFetch('/api/auth/passkey', {
    method: 'POST',
    body: new URLSearchParams({ use: provider }),
  })
  if (!response.ok) throw new Error(`passkey: status ${response.status}`)
  const optionsJSON = await response.json()
  if (!optionsJSON) return { error: 'CredentialsSignin', code: 'second-factor-expired' }
  return signIn(provider, {
    passkey: JSON.stringify(await startAuthentication({ optionsJSON })),
    shared: String(shared),
  })
}
