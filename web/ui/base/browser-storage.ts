/** Returns what the browser keeps under a key; null if that is nothing, or its storage is blocked. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text in the browser; where its storage is blocked, nothing is kept. */
export function keepStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // As documented.
  }
}
