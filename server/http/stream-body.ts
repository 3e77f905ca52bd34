import type { Ctx } from '../context.ts'
import { UserError } from '../errors.ts'
import { errorFields } from '../platform/log.ts'

/**
 * Returns a stream that reads a chunk when the connection can send it. The first chunk is read before the
 * response starts, so that a file that cannot be read is an ordinary error; a later error cuts the response.
 * When the client leaves, the iterator is ended, which closes its file. `revoked` cuts the response at once, also while the
 * client reads nothing.
 */
export async function toReadableStream(
  { request, services }: Ctx,
  chunks: AsyncIterator<Uint8Array>,
  revoked?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | null = await chunks.next()
  let isOver = false
  const describe = (error: unknown): Error => {
    const isExpected = error instanceof UserError
    services.log[isExpected ? 'warn' : 'error']('response: broken off', {
      request: request.id,
      ...errorFields(error),
    })
    // The library prints what it gets, and an unexpected error may quote data.
    return new Error(isExpected ? error.message : 'response broken off')
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const cut = () => {
          if (isOver) return
          isOver = true
          controller.error(describe(revoked?.reason))
          chunks.return?.().catch(() => undefined)
        }
        if (revoked?.aborted) cut()
        else revoked?.addEventListener('abort', cut, { once: true })
      },
      pull: async (controller) => {
        try {
          const { done, value } = next ?? (await chunks.next())
          next = null
          if (isOver) return
          if (done) {
            isOver = true
            controller.close()
          } else controller.enqueue(value)
        } catch (error) {
          if (isOver) return
          isOver = true
          throw describe(error)
        }
      },
      cancel: async () => {
        isOver = true
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
