export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Runs at most `limit` tasks at once, the others in the order in which they were added. */
export function createUploadQueue(limit: number) {
  // In order of arrival, so the running tasks are always the first ones.
  const tasks = new Set<{ start: () => void; isRunning: boolean }>()

  function startNext(): void {
    for (const task of [...tasks].slice(0, limit)) {
      if (task.isRunning) continue
      task.isRunning = true
      task.start()
    }
  }

  return {
    /**
     * Calls `start` as soon as there is room. The returned function ends the task, whether or not it has
     * started.
     */
    add: (start: () => void): (() => void) => {
      const task = { start, isRunning: false }
      tasks.add(task)
      startNext()
      return () => {
        // Later, so that ending all tasks in a loop starts none of them.
        if (tasks.delete(task)) queueMicrotask(startNext)
      }
    },
  }
}
