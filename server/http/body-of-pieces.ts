import type { Ctx } from '../context.ts'
import { Refusal } from '../errors.ts'
import { errorFacts } from '../platform/log.ts'

/**
 * Pieces as the connection takes them. The first is fetched before anything is answered, so that what cannot be read at all
 * is an error like any other; a later fault breaks the answer off. A reader who leaves ends the pieces: a file is closed.
 */
export async function toBody(
  { request, services }: Ctx,
  pieces: AsyncIterator<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | null = await pieces.next()
  let hasLeft = false
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = next ?? (await pieces.next())
          next = null
          if (hasLeft) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const level = error instanceof Refusal ? 'warn' : 'error'
          services.log[level]('answer: broken off', { request: request.id, ...errorFacts(error) })
          throw error
        }
      },
      cancel: async () => {
        hasLeft = true
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
