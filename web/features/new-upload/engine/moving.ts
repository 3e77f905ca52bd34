import { canChange, type OpenDraft, type OtherPatient } from './draft.ts'
import type { DraftContext } from './submission.ts'
import type { ReceivedContent } from './transfers/resume-plan.ts'

/** Between two questions about where the files are, while the server does not respond. */
const READ_RETRY_DELAY_MS = 2000

/** Gives arrived files of the draft to another patient. */
export const createMoving = <Input>({
  engine,
  draft,
  server,
  events,
  getEnd,
  stop,
}: DraftContext<Input>) => ({
  canMove: server.moveFiles !== undefined,

  /**
   * Moves the files with these ids to another patient. Nothing is sent meanwhile: the server moves the whole upload if it
   * has no other file, and a file that is sent then would follow it to the other patient. Where the files are afterwards is
   * read from the server, since the response may be lost; what is left of a moved upload gets an upload of its own.
   */
  move: async (fileIds: readonly string[], patient: OtherPatient) => {
    const current = draft.get()
    if (!server.moveFiles || !server.readContent || !canChange(current)) return
    const { uploadId } = current.target
    const signal = getEnd()
    draft.set({ ...current, status: 'moving' })
    const isDetached = await engine.detach()
    if (signal.aborted) return
    const failure = isDetached
      ? await server.moveFiles(uploadId, fileIds, patient.id).then(
          () => null,
          (error: unknown) => ({ error }),
        )
      : { error: new TypeError('a file that was sent got no response') }
    const content = await readUntilKnown(() => server.readContent!(uploadId), signal)
    if (content === null) return
    const isMoved = (sha256: string) =>
      !content.isHere || !content.files.some((each) => each.sha256 === sha256)
    const before = engine.getFiles().length + current.earlier.files.length
    engine.dropMoved(isMoved)
    const earlier = {
      ...current.earlier,
      files: current.earlier.files.filter((file) => !isMoved(file.sha256)),
    }
    const count = before - engine.getFiles().length - earlier.files.length
    if (content.isHere) {
      draft.set({ ...current, earlier } satisfies OpenDraft)
      engine.begin({ uploadId, arrived: content })
    } else {
      const left = engine
        .getFiles()
        .filter(({ status }) => status !== 'removing')
        .map((file) => file.content)
      stop()
      engine.add(left)
    }
    if (count > 0) events.onMoved(patient, count)
    else if (failure) events.onMoveFailed(failure.error)
  },
})

/** Repeats the request until the server responds; returns null once the draft has ended. */
async function readUntilKnown(
  read: () => Promise<ReceivedContent & { isHere: boolean }>,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const content = await read().catch(() => null)
    if (signal.aborted) return null
    if (content !== null) return content
    await new Promise((resolve) => setTimeout(resolve, READ_RETRY_DELAY_MS))
  }
  return null
}
