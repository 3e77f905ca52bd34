import { createHmac, randomInt } from 'node:crypto'
import {
  parseShareCode,
  SHARE_CODE_ALPHABET,
  SHARE_CODE_LENGTH,
  SHARES_PATH,
} from '../../../shared/shares/shares.ts'
import type { Ctx } from '../../context.ts'
import { deriveKey, hashToken } from '../../platform/crypto/keys.ts'
import { findSiteUrl } from '../site/find-site.ts'

/** What a link names its share by: the hash of its token, or that of the short code of a slip. */
export type LinkHash = { column: 'token_hash' | 'code_hash'; hash: Buffer }

/** Returns the hash of the text after `/s/`: a token or a short code. Any other text is hashed as a token. */
export function hashLink({ services }: Ctx, text: string): LinkHash {
  const code = parseShareCode(text)
  return code === null
    ? { column: 'token_hash', hash: hashToken(text) }
    : { column: 'code_hash', hash: hashShareCode(services.config.secret, code) }
}

/** The code has 49 bits: without the key, a copy of the table is no help in finding it. */
export const hashShareCode = (secret: Buffer, code: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'share-code')).update(code).digest()

export const newShareCode = (): string =>
  Array.from(
    { length: SHARE_CODE_LENGTH },
    () => SHARE_CODE_ALPHABET[randomInt(SHARE_CODE_ALPHABET.length)],
  ).join('')

/** Returns random digits, the first of which may be 0. */
export const newDigits = (count: number): string =>
  Array.from({ length: count }, () => randomInt(10)).join('')

/** Returns the address of a share: of the configured site, never of a request. */
export const linkOf = async (ctx: Ctx, token: string): Promise<string> =>
  `${await findSiteUrl(ctx)}${SHARES_PATH}/${token}`

/** Returns the address of a patient's page, for the maker of a share. */
export const linkOfPatient = async (ctx: Ctx, patientId: string): Promise<string> =>
  `${await findSiteUrl(ctx)}/patients/${patientId}`
