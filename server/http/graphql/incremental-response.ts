const ACCEPTS_MULTIPART = /^multipart\/mixed\s*(;.*)?;\s*deferspec\s*=\s*"?20220824"?\s*(;|$)/i
const PART_HEAD = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n'
const BOUNDARY = '\r\n---'

export const MULTIPART_TYPE = 'multipart/mixed; boundary="-"; deferSpec=20220824'

/** Whether the client accepts an incremental response, as Apollo's does; all others get one JSON response. */
export const acceptsMultipart = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => ACCEPTS_MULTIPART.test(range.trim())) ?? false

/**
 * Writes an incremental response [7.8]: the first result at once, then each deferred fragment, in order, when
 * it is ready. A client recognises the end of a part by the boundary after it, so each part is sent together
 * with that boundary.
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
