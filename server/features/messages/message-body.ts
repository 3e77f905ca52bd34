import type { Ctx } from '../../context.ts'

/** What a message says, both ways. */
export type MessageBody = { text: string; html: string }

/** A message may hold a one-time link: a copy of the database must not tell it. */
export const encryptBody = ({ services }: Ctx, body: MessageBody): Buffer =>
  services.encryption.encrypt(JSON.stringify(body))

/** Null where it was sealed with another secret than the product has now. */
export function decryptBody({ services }: Ctx, sealed: Buffer): MessageBody | null {
  try {
    return JSON.parse(services.encryption.decrypt(sealed))
  } catch {
    return null
  }
}
