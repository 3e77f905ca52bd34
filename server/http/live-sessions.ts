import { CLOSE, type CloseReason } from '../../shared/close-codes.ts'
import type { UserActor } from '../context.ts'
import { findActorsBySessions } from '../features/accounts/find-actor.ts'
import type { Parts } from '../parts.ts'
import { errorFacts } from '../platform/log.ts'

/** Of one person in one process; a sixth pushes out the oldest. As many windows as anybody has open in earnest. */
const SOCKETS_PER_USER = 5
/** Milliseconds between two looks at all sessions. What was announced is judged at once, the rest within this. */
const JUDGING_PERIOD = 3_000

/** An open socket and the rights with which it came in. */
export type LiveSocket = { actor: UserActor; close(reason: CloseReason): void }

export type LiveSessions = {
  add(socket: LiveSocket): void
  remove(socket: LiveSocket): void
  stop(): Promise<void>
}

/**
 * Ends every socket with the rights that it came in with: at once where a change of its account is announced, within
 * JUDGING_PERIOD where a row changed in another way. An ended session is final, other rights are not (`close-codes.ts`).
 */
export function watchLiveSessions({ db, events, log }: Pick<Parts, 'db' | 'events' | 'log'>): LiveSessions {
  /** In the order in which they came. */
  const live = new Set<LiveSocket>()
  let timer: NodeJS.Timeout | undefined

  const expel = (socket: LiveSocket, reason: CloseReason) => {
    live.delete(socket)
    socket.close(reason)
  }

  const judge = async (sockets: readonly LiveSocket[]) => {
    if (sockets.length === 0) return
    try {
      const sessionIds = [...new Set(sockets.map(({ actor }) => actor.sessionId))]
      const actors = await findActorsBySessions(db, sessionIds, new Date())
      for (const socket of sockets) {
        const actor = actors.get(socket.actor.sessionId)
        if (!actor) expel(socket, CLOSE.unauthorized)
        else if (rightsOf(actor) !== rightsOf(socket.actor)) expel(socket, CLOSE.rightsChanged)
      }
    } catch (error) {
      // Without the database no event is judged either, so nothing is told to anybody.
      log.warn('realtime: cannot ask whose sessions are live', errorFacts(error))
    }
  }

  const schedule = () => {
    if (timer || live.size === 0) return
    timer = setTimeout(async () => {
      await judge([...live])
      timer = undefined
      schedule()
    }, JUDGING_PERIOD)
    timer.unref()
  }

  const changes = events.subscribe()
  const judgeAnnounced = async () => {
    for await (const event of changes) {
      if (event.kind === 'account') void judge([...live].filter(({ actor }) => actor.id === event.id))
      else if (event.kind === 'resync') void judge([...live])
    }
  }
  void judgeAnnounced()

  return {
    add: (socket) => {
      const own = [...live].filter(({ actor }) => actor.id === socket.actor.id)
      if (own.length >= SOCKETS_PER_USER) expel(own[0]!, CLOSE.displaced)
      live.add(socket)
      schedule()
    },
    remove: (socket) => void live.delete(socket),
    stop: async () => {
      clearTimeout(timer)
      live.clear()
      await changes.return?.()
    },
  }
}

/** What a person may see and do, as one text to compare. */
const rightsOf = ({ role, features, institutionIds }: UserActor): string =>
  JSON.stringify([role, [...features].sort(), [...institutionIds].sort()])
