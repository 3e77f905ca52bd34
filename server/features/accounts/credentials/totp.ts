import { Secret, TOTP } from 'otpauth'

/** The defaults that every authenticator application supports (RFC 6238). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Time steps by which the clocks of server and phone may differ, in either direction. */
const MAX_STEP_DRIFT = 1

/** Returns a new secret of 160 bits, in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, more: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...TOTP_OPTIONS, ...more, secret: Secret.fromBase32(secret) })

/** Returns the `otpauth://` address that an authenticator application reads from a QR code. */
export const totpUri = (secret: string, issuer: string, email: string): string =>
  totpOf(secret, { issuer, label: email }).toString()

/**
 * Returns the time step (counted from 1970) of this code if it is the current, previous or next one; null
 * otherwise.
 */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: MAX_STEP_DRIFT })
  return delta === null ? null : TOTP.counter({ period: TOTP_OPTIONS.period, timestamp }) + delta
}
