import { type OpenedFile, openDescriptor } from './opened-file.ts'

/** The first message of a sandbox process. */
export const READY = 'ready'
/** After the standard streams and the channel of messages. */
const FILE_DESCRIPTOR = 4

/**
 * Runs in the sandbox process: responds to its task with the result of `work`, which receives the task's file
 * (an empty one if there is none). An error that `work` throws ends the process.
 */
export function serveSandbox<Task, Result>(work: (task: Task, file: OpenedFile) => Promise<Result>): void {
  process.once('message', async (task) => {
    process.send?.(await work(task as Task, openDescriptor(FILE_DESCRIPTOR)))
  })
  process.once('disconnect', () => process.exit(0))
  process.send?.(READY)
}
