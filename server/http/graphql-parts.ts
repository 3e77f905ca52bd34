import type { IncrementalExecutionResults } from '@graphql-tools/executor'

type Part = IncrementalExecutionResults['initialResult']
type LaterPart = IncrementalExecutionResults['subsequentResults'] extends AsyncGenerator<infer R> ? R : never

const ACCEPTED = /^multipart\/mixed\s*(;.*)?;\s*deferspec\s*=\s*"?20220824"?\s*(;|$)/i
const PART_HEAD = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n'

export const PARTS_TYPE = 'multipart/mixed; boundary="-"; deferSpec=20220824'

/** Whether a client takes an answer in parts, as Apollo's does; all others get one JSON answer. */
export const acceptsParts = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => ACCEPTED.test(range.trim())) ?? false

/**
 * An answer that comes in parts [7.8]: what is there at once, then each deferred fragment when it is. A client knows that
 * a part is whole by the boundary behind it, so each part leaves together with that.
 */
export function streamParts(
  { initialResult, subsequentResults }: IncrementalExecutionResults,
  format: (part: Part | LaterPart) => Promise<object>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const write = async (part: Part | LaterPart) =>
    encoder.encode(`${PART_HEAD}${JSON.stringify(await format(part))}\r\n---${part.hasNext ? '' : '--\r\n'}`)
  return new ReadableStream({
    start: async (stream) => {
      stream.enqueue(encoder.encode('\r\n---'))
      stream.enqueue(await write(initialResult))
    },
    pull: async (stream) => {
      const { value, done } = await subsequentResults.next()
      if (value) stream.enqueue(await write(value))
      if (done || !value.hasNext) stream.close()
    },
    // The client has hung up: what is not resolved yet is not needed any more.
    cancel: async () => void (await subsequentResults.return()),
  })
}
