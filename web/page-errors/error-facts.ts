/** Returns the server's id of the request that failed; undefined if the error has none. */
export function findRequestId(error: unknown): string | undefined {
  const { requestId } = Object(error) as Record<string, unknown>
  return typeof requestId === 'string' ? requestId : undefined
}

/** Returns the HTTP status of an error of any client; undefined if it has none. */
export function findStatus(error: unknown): number | undefined {
  const { status, statusCode } = Object(error) as Record<string, unknown>
  return [status, statusCode].find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  )
}

/** Returns the message that the error gives for the error page; undefined if it gives none. */
function findMessage(error: unknown): string | undefined {
  const { statusMessage } = Object(error) as Record<string, unknown>
  return typeof statusMessage === 'string' ? statusMessage : undefined
}

/** The texts of Chromium, Firefox and Safari: `fetch` has no error class of its own. */
const NO_RESPONSE = /^(Failed to fetch|NetworkError|Load failed)/

/** Whether there was no response, or only a gateway's; the error may be the cause of this one. */
export function isUnreachable(error: unknown): boolean {
  if ([502, 503, 504].includes(findStatus(error) ?? 0)) return true
  if (!(error instanceof Error)) return false
  return (
    error.name === 'TimeoutError' ||
    (error instanceof TypeError && NO_RESPONSE.test(error.message)) ||
    isUnreachable(error.cause)
  )
}

/** Returns what the error page shows of an error. */
export const errorPageProps = (error: unknown) => ({
  status: findStatus(error),
  message: findMessage(error),
  isUnreachable: isUnreachable(error),
  requestId: findRequestId(error),
})
