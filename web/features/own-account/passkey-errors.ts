const CANCELLED: ReadonlySet<string> = new Set(['NotAllowedError', 'AbortError'])

/** Returns the sentence of an error of the browser's passkey dialog; null for any other error. */
export function explainPasskeyError(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  // The library's own errors have the browser's error as the cause.
  const names = [error.name, (error.cause as Error | undefined)?.name ?? '']
  if (names.includes('InvalidStateError')) return 'Acest dispozitiv are deja o cheie de acces a contului.'
  if (names.some((name) => CANCELLED.has(name)))
    return 'Cheia de acces nu a fost folosită: dispozitivul nu a confirmat.'
  if (
    names.some((name) => /^(NotSupported|Security|Constraint|Unknown)Error$|^WebAuthnError$/.test(name)) ||
    !('PublicKeyCredential' in window)
  )
    return 'Browserul sau dispozitivul nu poate folosi chei de acces aici.'
  return null
}
