import { TOTP } from 'otpauth'
import { newTotpSecret } from '../server/features/accounts/credentials/totp.ts'
import type { TestServer } from './test-server.ts'

/** A user's authenticator application. */
export type Authenticator = {
  secret: string
  /** Returns the code of now, or of `steps` half-minutes later. */
  code(steps?: number): string
}

/** Creates an authenticator application with this secret. */
export function createAuthenticator(secret: string): Authenticator {
  const totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  return { secret, code: (steps = 0) => totp.generate({ timestamp: Date.now() + steps * 30_000 }) }
}

/** Enables the second factor of an account; returns the application that makes its codes. */
export async function enableSecondFactor(
  { db, services }: TestServer,
  user: { id: string },
): Promise<Authenticator> {
  const authenticator = createAuthenticator(newTotpSecret())
  const totp_secret = services.encryption.encrypt(authenticator.secret)
  await db.updateTable('app_user').set({ totp_secret }).where('id', '=', user.id).execute()
  return authenticator
}
