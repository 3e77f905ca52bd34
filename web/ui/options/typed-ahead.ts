declare global {
  /** Set by public/boot.js, before any module; undefined in tests without a page. */
  var typedAhead: { drop: () => void } | undefined
}

/** Stops the buffering of keys that began with the page, and discards buffered text. */
export const dropTyping = (): void => globalThis.typedAhead?.drop()
