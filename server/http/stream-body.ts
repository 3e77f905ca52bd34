import type { Ctx } from '../context.ts'
import { UserError } from '../errors.ts'
import { errorFields } from '../platform/log.ts'

/**
 * Returns a stream that reads a chunk when the connection can send it. The first chunk is read before the
 * response starts, so that a file that cannot be read is an ordinary error; a later error cuts the response.
 * When the client leaves, the iterator is ended, which closes its file.
 */
export async function toReadableStream(
  { request, services }: Ctx,
  chunks: AsyncIterator<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | null = await chunks.next()
  let hasLeft = false
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = next ?? (await chunks.next())
          next = null
          if (hasLeft) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const isExpected = error instanceof UserError
          services.log[isExpected ? 'warn' : 'error']('response: broken off', {
            request: request.id,
            ...errorFields(error),
          })
          // The library prints what it gets, and an unexpected error may quote data.
          throw new Error(isExpected ? error.message : 'response broken off')
        }
      },
      cancel: async () => {
        hasLeft = true
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
