import { createTestClient, type TestClient } from '../../test/client.ts'
import { ADMIN, DEMO_PASSWORD } from './accounts.ts'

/** Returns a program that is signed in; rejects where the sign-in fails. */
export async function signInClient(url: string, email: string): Promise<TestClient> {
  const client = createTestClient(url)
  const landing = await client.signIn(email, DEMO_PASSWORD)
  if (landing.url.searchParams.has('error')) throw new Error(`${email} cannot sign in: ${landing.url}`)
  return client
}

/** Issues an API key, as an administrator. */
export async function issueApiKey(url: string): Promise<string> {
  const admin = await signInClient(url, ADMIN)
  return (await admin.runQuery('mutation { createApiKey(name: "Test") { key } }')).createApiKey.key
}

/** Makes an integration and returns its key, as an administrator. */
export async function issueIntegrationKey(url: string): Promise<string> {
  const admin = await signInClient(url, ADMIN)
  const input = { name: 'Laborator', kind: 'program', addresses: [], submitsToReview: false }
  const create = 'mutation ($input: IntegrationInput!) { createIntegration(input: $input) { key } }'
  return (await admin.runQuery(create, { input })).createIntegration.key
}

/** Returns the public key, from the cookie of every page. */
export async function fetchPublicKey(url: string): Promise<string> {
  const client = createTestClient(url)
  await client.get('/', { accept: 'text/html' })
  return client.cookies.get('apollo:public.token')!
}
