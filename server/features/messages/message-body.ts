import type { Ctx } from '../../context.ts'

/** The text and HTML versions of a message. */
export type MessageBody = { text: string; html: string }

/** Encrypts a body: it may contain a one-time link, which a copy of the database must not reveal. */
export const encryptBody = ({ services }: Ctx, body: MessageBody): Buffer =>
  services.encryption.encrypt(JSON.stringify(body))

/** Returns null if the body was encrypted with a different secret than the current one. */
export function decryptBody({ services }: Ctx, encrypted: Buffer): MessageBody | null {
  try {
    return JSON.parse(services.encryption.decrypt(encrypted))
  } catch {
    return null
  }
}
