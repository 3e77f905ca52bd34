import { availableParallelism, totalmem } from 'node:os'

const MAX_LANES = 8
const MIB = 1024 ** 2
/** With less memory a lane cannot read larger documents. */
const WANTED_MEMORY = 512 * MIB
const MAX_MEMORY = 1024 * MIB

export type LaneSettings = {
  /** How many tasks run at a time; at least two. */
  count: number
  /** Bytes of memory for the task of one lane. */
  memory: number
}

/**
 * Returns as many lanes as the machine has cores, at least two and at most MAX_LANES, but fewer when each
 * would have too little memory. Together the lanes take at most half of the memory.
 */
export function chooseLanes(cores: number, memory: number): LaneSettings {
  const shared = memory / 2
  const count = Math.max(2, Math.min(cores, MAX_LANES, Math.floor(shared / WANTED_MEMORY)))
  return { count, memory: Math.min(MAX_MEMORY, Math.floor(shared / count)) }
}

/** The lanes of this machine, or of the container with its limit of memory. */
export const LANES: LaneSettings = chooseLanes(
  availableParallelism(),
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
)

export type Turn = {
  /** Ends the task. */
  signal: AbortSignal
  /** The task reports that it is slow. */
  onSlow(): void
}

export type Lanes = {
  /** Bytes of memory that a task may take. */
  memory: number
  /**
   * Runs `work` in a lane, when it is the owner's turn. A task may be ended by its signal, to make room for other owners, and
   * runs again from its beginning; the result is that of the run that was not ended.
   */
  run<T>(owner: string, work: (turn: Turn) => Promise<T>): Promise<T>
}

type Task = {
  owner: string
  isSlow: boolean
  /** Ends the running task, to make room for others. */
  end?(): void
  /** Runs the task once; resolves with false when it was ended by the signal. */
  attempt(turn: Turn): Promise<boolean>
}

/**
 * Opens lanes in which tasks of several owners run at a time, so that no owner keeps the others waiting: the owner with the
 * fewest running tasks is next, and the longest not served of those. The last lane is lent to an owner who has all the others:
 * when another owner comes, the task in it is ended and runs again later. All slow tasks together get all lanes but one. Any
 * further one is ended, waits until a slow one is done, and runs after its owner's other tasks.
 */
export function openLanes({ count, memory }: LaneSettings): Lanes {
  const most = count - 1
  const running = new Set<Task>()
  let waiting: Task[] = []
  /** The number of the owner's last turn; it grows with the number of accounts only. */
  const lastTurns = new Map<string, number>()
  let turn = 0

  const runningOf = (owner: string) => [...running].filter((task) => task.owner === owner).length
  const slowOnes = () => [...running].filter(({ isSlow }) => isSlow).length

  const rank = ({ owner, isSlow }: Task) => [runningOf(owner), lastTurns.get(owner) ?? 0, Number(isSlow)]

  /** Whether the task may run within its owner's share, and that of slow tasks. */
  const mayRun = ({ owner, isSlow }: Task) => runningOf(owner) < most && (!isSlow || slowOnes() < most)

  const takeNext = (): Task | undefined => {
    const inShare = waiting.filter(mayRun)
    // A slow task would lose much work when its lane is given back.
    const candidates = inShare.length > 0 ? inShare : waiting.filter(({ isSlow }) => !isSlow)
    const next = candidates
      .map((task) => ({ task, rank: rank(task) }))
      .toSorted((a, b) => compareRanks(a.rank, b.rank))[0]?.task
    if (next) waiting = waiting.filter((task) => task !== next)
    return next
  }

  /** Ends the last started task of an owner who has all lanes, once another owner waits for one. */
  const giveBackLane = () => {
    const last = [...running].at(-1)
    if (running.size === count && last && runningOf(last.owner) > most && waiting.some(mayRun)) last.end?.()
  }

  const startWaiting = () => {
    while (running.size < count) {
      const next = takeNext()
      if (!next) return
      void start(next)
    }
  }

  const start = async (task: Task) => {
    running.add(task)
    turn += 1
    lastTurns.set(task.owner, turn)
    const ending = new AbortController()
    const end = () => ending.abort(new Error('a task makes room for others'))
    task.end = end
    const onSlow = () => {
      if (task.isSlow) return
      const hasPlace = slowOnes() < most
      task.isSlow = true
      if (!hasPlace) end()
    }
    const isDone = await task.attempt({ signal: ending.signal, onSlow })
    running.delete(task)
    if (!isDone) waiting.push(task)
    startWaiting()
  }

  return {
    memory,
    run: (owner, work) =>
      new Promise((resolve, reject) => {
        const attempt = async (turn: Turn) => {
          try {
            resolve(await work(turn))
          } catch (error) {
            if (turn.signal.aborted) return false
            reject(error)
          }
          return true
        }
        waiting.push({ owner, isSlow: false, attempt })
        startWaiting()
        giveBackLane()
      }),
  }
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : a[at]! - b[at]!
}
