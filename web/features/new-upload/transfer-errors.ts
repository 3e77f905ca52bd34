/** What the server's refusals of a transfer mean for it. */

const NO_RESPONSE_MESSAGE =
  'Legătura cu serverul s-a întrerupt. Încarcă din nou fișierul: continuă de unde a rămas.'
const UNKNOWN_MESSAGE = 'Fișierul nu a putut fi trimis. Încearcă din nou.'

/** The Romanian sentence of a refusal: `body` is `{ code, message }` in JSON, or text; `status` 0 where nobody answered. */
export function readTransferError(status: number, body: string): string {
  if (status === 0) return NO_RESPONSE_MESSAGE
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? message : UNKNOWN_MESSAGE
  } catch {
    // A proxy's own page says nothing to a registrar.
    return body.length < 200 && /^[^<]+$/.test(body) ? body : UNKNOWN_MESSAGE
  }
}

/**
 * Whether the same request may succeed a little later: nobody answered, the server has trouble, or another request still
 * holds the transfer. Refusing to begin one (POST), or for lack of space, is an answer for good.
 */
export function isTemporary(method: string, status: number): boolean {
  if (status === 0) return true
  if (status === 409 || status === 423) return method !== 'POST'
  return status >= 500 && status !== 507
}
