import { CLOSE, type CloseReason } from '../../../shared/close-codes.ts'
import type { UserActor } from '../../context.ts'
import { findActorsBySessions } from '../../features/accounts/sessions/find-actor.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'

/**
 * Sockets of one user in one process, enough for the windows that a user has open; a sixth closes the oldest.
 */
const MAX_SOCKETS_PER_USER = 5
/** How often all sessions are checked. Published changes of an account are checked at once. */
const RECHECK_INTERVAL_MS = 3_000

/** An open socket and the user with the permissions at the time of the connection. */
export type LiveSocket = { actor: UserActor; close(reason: CloseReason): void }

export type LiveSessions = {
  add(socket: LiveSocket): void
  remove(socket: LiveSocket): void
  stop(): Promise<void>
}

/**
 * Closes a socket when its session has ended or its user's permissions have changed: at once after a
 * published change of the account, within RECHECK_INTERVAL_MS after any other change. The close code shows
 * whether the client may reconnect (`close-codes.ts`).
 */
export function watchLiveSessions({
  db,
  events,
  log,
}: Pick<Services, 'db' | 'events' | 'log'>): LiveSessions {
  /** In the order of connection. */
  const openSockets = new Set<LiveSocket>()
  let timer: NodeJS.Timeout | undefined

  const closeAndRemove = (socket: LiveSocket, reason: CloseReason) => {
    openSockets.delete(socket)
    socket.close(reason)
  }

  const recheckAccess = async (sockets: readonly LiveSocket[]) => {
    if (sockets.length === 0) return
    try {
      const sessionIds = [...new Set(sockets.map(({ actor }) => actor.sessionId))]
      const actors = await findActorsBySessions(db, sessionIds, new Date())
      for (const socket of sockets) {
        const actor = actors.get(socket.actor.sessionId)
        if (!actor) closeAndRemove(socket, CLOSE.unauthorized)
        else if (serializeRights(actor) !== serializeRights(socket.actor))
          closeAndRemove(socket, CLOSE.rightsChanged)
      }
    } catch (error) {
      // Safe to continue: without the database the permission check of each event fails too, so no event is
      // sent.
      log.warn('realtime: cannot check live sessions', errorFields(error))
    }
  }

  const schedule = () => {
    if (timer || openSockets.size === 0) return
    timer = setTimeout(async () => {
      await recheckAccess([...openSockets])
      timer = undefined
      schedule()
    }, RECHECK_INTERVAL_MS)
    timer.unref()
  }

  const changes = events.subscribe()
  const recheckOnEvents = async () => {
    for await (const event of changes) {
      if (event.kind === 'account')
        void recheckAccess([...openSockets].filter(({ actor }) => actor.id === event.id))
      else if (event.kind === 'resync') void recheckAccess([...openSockets])
    }
  }
  void recheckOnEvents()

  return {
    add: (socket) => {
      const own = [...openSockets].filter(({ actor }) => actor.id === socket.actor.id)
      if (own.length >= MAX_SOCKETS_PER_USER) closeAndRemove(own[0]!, CLOSE.displaced)
      openSockets.add(socket)
      schedule()
    },
    remove: (socket) => void openSockets.delete(socket),
    stop: async () => {
      clearTimeout(timer)
      openSockets.clear()
      await changes.return?.()
    },
  }
}

/** Returns the user's permissions as a text for comparison. */
const serializeRights = ({ role, features, institutionIds }: UserActor): string =>
  JSON.stringify([role, [...features].sort(), [...institutionIds].sort()])
