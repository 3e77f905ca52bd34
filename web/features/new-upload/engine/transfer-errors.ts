const NO_RESPONSE_MESSAGE =
  'Legătura cu serverul s-a întrerupt. Încarcă din nou fișierul: continuă de unde a rămas.'
const UNKNOWN_MESSAGE = 'Fișierul nu a putut fi trimis. Încearcă din nou.'

/**
 * Returns the Romanian sentence for an error response: `body` is `{ code, message }` in JSON, or text;
 * `status` 0: no response.
 */
export function readTransferError(status: number, body: string): string {
  if (status === 0) return NO_RESPONSE_MESSAGE
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? message : UNKNOWN_MESSAGE
  } catch {
    // The HTML page of a proxy is no message for a user.
    return body.length < 200 && /^[^<]+$/.test(body) ? body : UNKNOWN_MESSAGE
  }
}

/**
 * Whether a retry may succeed: no response (status 0), a server error, another request still locks the
 * transfer, or the server no longer has it, so that the retry begins a new one. A rejected creation (POST)
 * and a full disk (507) are final.
 */
export function isTemporary(method: string, status: number): boolean {
  if (status === 0) return true
  if (status === 404 || status === 410) return method === 'PATCH'
  if (status === 409) return method !== 'POST'
  if (status === 423) return true
  return status >= 500 && status !== 507
}
