import type { Ctx } from '../context.ts'
import { UserError } from '../errors.ts'
import { errorFields } from '../platform/log.ts'

/**
 * Pieces as the connection takes them. The first is fetched before anything is answered, so that what cannot be read at all
 * is an error like any other; a later fault breaks the answer off. A reader who leaves ends the pieces: a file is closed.
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
          const level = error instanceof UserError ? 'warn' : 'error'
          services.log[level]('answer: broken off', { request: request.id, ...errorFields(error) })
          throw error
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
