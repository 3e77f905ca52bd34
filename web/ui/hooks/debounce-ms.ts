/** Milliseconds after the last key, until a text is taken for typed and searched for. */
export const DEBOUNCE_MS = 250
