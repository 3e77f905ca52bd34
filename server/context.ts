import { isGuest } from './actor.access.ts'
import type { Actor, SystemActor, UserActor } from './actor.ts'
import type { Db } from './platform/database/database.ts'
import { newId } from './platform/ids.ts'
import type { Services } from './services.ts'

export type {
  Actor,
  AnonymousActor,
  IntegrationActor,
  PublicActor,
  RecipientActor,
  SystemActor,
  UserActor,
} from './actor.ts'

/** Details of the request for the log and the audit log. */
export type RequestOrigin = {
  id: string
  ip: string | null
  userAgent: string | null
  origin: 'web' | 'api' | 'job'
}

/**
 * The context that every verb receives. `db` is the database as the actor sees it, or inside `inTransaction` the
 * open transaction. Jobs are rows and notifications are NOTIFYs of that transaction, so none is sent before the commit.
 */
export type Ctx<A extends Actor = Actor> = {
  actor: A
  db: Db
  /** For `withActor`, `withAccounts`, `withSending` and `withShares` alone: a verb must not read or write outside the transaction. */
  pools: Pick<Services, 'db' | 'guests' | 'recipients'>
  now: Date
  request: RequestOrigin
  /** Without the pools, so that a verb cannot read or write outside the transaction. */
  services: Omit<Services, 'db' | 'guests' | 'recipients' | 'signingKeys'>
}
export type UserCtx = Ctx<UserActor>

/**
 * Runs `work` in a transaction, or in the one that is already open: its changes, audit rows, jobs and
 * notifications happen together or not at all.
 */
export function inTransaction<A extends Actor, T>(
  ctx: Ctx<A>,
  work: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }))
}

/** Returns the context of a verb that `actor` calls. */
export function createContext<A extends Actor>(services: Services, actor: A, request: RequestOrigin): Ctx<A> {
  const { db, guests, recipients, signingKeys: _keys, ...withoutPools } = services
  const pools = { db, guests, recipients }
  return { actor, db: databaseFor(pools, actor), pools, now: new Date(), request, services: withoutPools }
}

/** Returns the context with the actor as it is now, and outside a transaction with the database as it sees it. */
export const withActor = <A extends Actor>(ctx: Ctx, actor: A): Ctx<A> =>
  ctx.db.isTransaction ? { ...ctx, actor } : { ...ctx, actor, db: databaseFor(ctx.pools, actor) }

/**
 * Returns the context with the whole database, for what the role of guests cannot read: sessions and the means of
 * signing in. The caller narrows every statement to the actor's own account.
 */
export const withAccounts = <A extends Actor>(ctx: Ctx<A>): Ctx<A> => withWholeDatabase(ctx)

/**
 * Returns the context with the whole database, for what the role of guests cannot do: to send files. The caller narrows
 * every statement to an upload that the actor has sent, and that has passed `isOwn`.
 */
export const withSending = <A extends Actor>(ctx: Ctx<A>): Ctx<A> => withWholeDatabase(ctx)

/**
 * Returns the context with the whole database, for what recipients' role cannot read: the share of a link and its proof. The
 * caller narrows every statement to the share whose token it was given.
 */
export const withShares = <A extends Actor>(ctx: Ctx<A>): Ctx<A> => withWholeDatabase(ctx)

/**
 * Returns the database to which entries of the audit log are added: the open transaction, or outside one the whole database,
 * so that the entries of guests and recipients share a statement with those of others.
 */
export const auditDatabase = ({ db, pools }: Ctx): Db => (db.isTransaction ? db : pools.db)

const withWholeDatabase = <A extends Actor>(ctx: Ctx<A>): Ctx<A> =>
  ctx.db.isTransaction ? ctx : { ...ctx, db: ctx.pools.db }

const databaseFor = ({ db, guests, recipients }: Ctx['pools'], actor: Actor): Db => {
  if (actor.kind === 'recipient') return recipients.forSession(actor.sessionId)
  if (!isGuest(actor)) return db
  return actor.kind === 'user'
    ? guests.forInstitutions(actor.institutionIds, actor.id)
    : guests.forInstitutions([])
}

/** Returns the context of a verb that a job or the start of the server calls. */
export const createSystemContext = (services: Services): Ctx<SystemActor> =>
  createContext(
    services,
    { kind: 'system', name: 'Dosar' },
    { id: newId(), ip: null, userAgent: null, origin: 'job' },
  )
