/** Runs `work` when it has a slot; `from` is what the work is for. */
export type Slots<From> = <T>(from: From, work: () => Promise<T>) => Promise<T>

/**
 * Returns a function that runs at most `most` pieces of work at a time, in the order of its calls. Before work
 * has to wait, `requireRoom` gets what it and the waiting ones are for, and may throw.
 */
export function createSlots<From>(
  most: number,
  requireRoom: (from: From, waiting: readonly From[]) => void = () => undefined,
): Slots<From> {
  const waiting: { from: From; start: () => void }[] = []
  let running = 0
  return async (from, work) => {
    if (running >= most) {
      requireRoom(
        from,
        waiting.map((each) => each.from),
      )
      await new Promise<void>((start) => waiting.push({ from, start }))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // While work is waiting, the finished one passes its slot on and `running` stays unchanged.
      const next = waiting.shift()
      if (next) next.start()
      else running -= 1
    }
  }
}

/** Returns a function that runs at most `most` pieces of work of the same key at a time. */
export function createSlotsByKey(most: number): Slots<string> {
  const slots = new Map<string, { run: Slots<string>; users: number }>()
  return async (key, work) => {
    const own = slots.get(key) ?? { run: createSlots<string>(most), users: 0 }
    slots.set(key, own)
    own.users += 1
    try {
      return await own.run(key, work)
    } finally {
      own.users -= 1
      if (own.users === 0) slots.delete(key)
    }
  }
}
