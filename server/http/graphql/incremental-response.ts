const ACCEPTS_MULTIPART = /^multipart\/mixed\s*(;.*)?;\s*deferspec\s*=\s*"?20220824"?\s*(;|$)/i
const PART_HEAD = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n'
const BOUNDARY = '\r\n---'

export const MULTIPART_TYPE = 'multipart/mixed; boundary="-"; deferSpec=20220824'

/** Whether a client takes an answer in parts, as Apollo's does; all others get one JSON answer. */
export const acceptsMultipart = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => ACCEPTS_MULTIPART.test(range.trim())) ?? false

/**
 * An answer that comes in parts [7.8]: what is there at once, then each deferred fragment, in their order, when it is. A client
 * knows that a part is whole by the boundary behind it, so each part leaves together with that.
 */
export async function* writeIncrementalResponse(
  first: object,
  later: readonly Promise<object>[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const write = (part: object, hasNext: boolean) =>
    `${PART_HEAD}${JSON.stringify({ ...part, hasNext })}${BOUNDARY}${hasNext ? '' : '--\r\n'}`
  yield encoder.encode(`${BOUNDARY}${write(first, true)}`)
  for (const [at, part] of later.entries())
    yield encoder.encode(write({ incremental: [await part] }, at < later.length - 1))
}
