/** The time after the last key before a search text is sent, in milliseconds. */
export const DEBOUNCE_MS = 250
