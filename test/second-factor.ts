import { TOTP } from 'otpauth'
import { newTotpSecret } from '../server/features/accounts/credentials/totp.ts'
import type { TestServer } from './test-server.ts'

const PERIOD_S = 30

/** A user's authenticator application. */
export type Authenticator = {
  secret: string
  /** Returns the code of now, or of `steps` half-minutes later. */
  code(steps?: number): string
  /** Returns a code that this function has not returned before, since each is valid once. */
  nextCode(): string
}

/** Creates an authenticator application with this secret, which may be grouped by spaces. */
export function createAuthenticator(secret: string): Authenticator {
  const totp = new TOTP({
    secret: secret.replaceAll(' ', ''),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  })
  const codeAt = (step: number) => totp.generate({ timestamp: step * PERIOD_S * 1000 })
  const stepOfNow = () => Math.floor(Date.now() / 1000 / PERIOD_S)
  let lastStep = 0
  return {
    secret,
    code: (steps = 0) => codeAt(stepOfNow() + steps),
    nextCode: () => {
      lastStep = Math.max(lastStep + 1, stepOfNow())
      return codeAt(lastStep)
    },
  }
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
