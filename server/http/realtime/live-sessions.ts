import { CLOSE, type CloseReason } from '../../../shared/close-codes.ts'
import type { UserActor } from '../../context.ts'
import { findActorsBySessions } from '../../features/accounts/sessions/find-actor.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'

/** Of one person in one process; a sixth pushes out the oldest. As many windows as anybody has open in earnest. */
const MAX_SOCKETS_PER_USER = 5
/** Milliseconds between two looks at all sessions. What was announced is judged at once, the rest within this. */
const RECHECK_INTERVAL_MS = 3_000

/** An open socket and the rights with which it came in. */
export type LiveSocket = { actor: UserActor; close(reason: CloseReason): void }

export type LiveSessions = {
  add(socket: LiveSocket): void
  remove(socket: LiveSocket): void
  stop(): Promise<void>
}

/**
 * Ends every socket with the rights that it came in with: at once where a change of its account is announced, within
 * RECHECK_INTERVAL_MS where a row changed in another way. An ended session is final, other rights are not (`close-codes.ts`).
 */
export function watchLiveSessions({
  db,
  events,
  log,
}: Pick<Services, 'db' | 'events' | 'log'>): LiveSessions {
  /** In the order in which they came. */
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
      // Without the database no event is judged either, so nothing is told to anybody.
      log.warn('realtime: cannot ask whose sessions are live', errorFields(error))
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

/** What a person may see and do, as one text to compare. */
const serializeRights = ({ role, features, institutionIds }: UserActor): string =>
  JSON.stringify([role, [...features].sort(), [...institutionIds].sort()])
