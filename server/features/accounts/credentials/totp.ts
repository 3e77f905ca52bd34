import { Secret, TOTP } from 'otpauth'

/** What every authenticator application understands without being told (RFC 6238). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps that the two clocks may differ by, either way. */
const MAX_STEP_DRIFT = 1

/** A new secret of 160 bits, in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, more: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...TOTP_OPTIONS, ...more, secret: Secret.fromBase32(secret) })

/** The `otpauth://` address that an application reads from a QR code. */
export const totpUri = (secret: string, issuer: string, email: string): string =>
  totpOf(secret, { issuer, label: email }).toString()

/** The time step (counted from 1970) whose code this is, if it is now, was just now or comes next; null otherwise. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: MAX_STEP_DRIFT })
  return delta === null ? null : TOTP.counter({ period: TOTP_OPTIONS.period, timestamp }) + delta
}
