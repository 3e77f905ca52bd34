import { TOTP } from 'otpauth'
import { newTotpSecret } from '../server/features/accounts/credentials/totp.ts'
import type { TestServer } from './test-server.ts'

/** A person's authenticator application. */
export type Authenticator = {
  secret: string
  /** The code it shows now, or `steps` half-minutes later. */
  code(steps?: number): string
}

/** An application that was told this secret, or has scanned this `otpauth://` address. */
export function createAuthenticator(secret: string): Authenticator {
  const totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  return { secret, code: (steps = 0) => totp.generate({ timestamp: Date.now() + steps * 30_000 }) }
}

/** An account that has set up its second factor; answers the application that makes its codes. */
export async function enableSecondFactor(
  { db, services: parts }: TestServer,
  user: { id: string },
): Promise<Authenticator> {
  const authenticator = createAuthenticator(newTotpSecret())
  const totp_secret = parts.encryption.encrypt(authenticator.secret)
  await db.updateTable('app_user').set({ totp_secret }).where('id', '=', user.id).execute()
  return authenticator
}
