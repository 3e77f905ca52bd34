import type { Ctx } from '../../context.ts'

/** What a message says, both ways. */
export type MessageBody = { text: string; html: string }

type Seals = Pick<Ctx, 'seals'>

/** A message may hold a one-time link: a copy of the database must not tell it. */
export const sealBody = ({ seals }: Seals, body: MessageBody): Buffer => seals.seal(JSON.stringify(body))

/** Null where it was sealed with another secret than the product has now. */
export function openBody({ seals }: Seals, sealed: Buffer): MessageBody | null {
  try {
    return JSON.parse(seals.open(sealed))
  } catch {
    return null
  }
}
