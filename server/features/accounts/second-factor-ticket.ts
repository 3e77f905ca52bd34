import { z } from 'zod'
import type { UserCtx } from '../../context.ts'

/** Milliseconds to install an application and read a code from it. */
const LIFE = 15 * 60 * 1000

const content = z.object({
  kind: z.literal('second-factor'),
  userId: z.string(),
  secret: z.string(),
  replaces: z.boolean(),
  expiresAt: z.number(),
})

/** What a begun second factor is, in a text that only this server reads. */
export type Begun = { secret: string; replaces: boolean }

export const sealTicket = ({ seals, actor, now }: UserCtx, begun: Begun): string =>
  seals
    .seal(
      JSON.stringify({
        kind: 'second-factor',
        userId: actor.id,
        expiresAt: now.getTime() + LIFE,
        ...begun,
      } satisfies z.infer<typeof content>),
    )
    .toString('base64url')

/** What the ticket says; null where it is none, another person's, or too old. */
export function openTicket({ seals, actor, now }: UserCtx, ticket: string): Begun | null {
  let opened: unknown
  try {
    opened = JSON.parse(seals.open(Buffer.from(ticket, 'base64url')))
  } catch {
    return null
  }
  const begun = content.safeParse(opened).data
  return begun?.userId === actor.id && begun.expiresAt > now.getTime() ? begun : null
}
