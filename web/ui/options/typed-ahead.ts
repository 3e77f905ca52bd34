declare global {
  /** Set by public/boot.js, before any module; undefined in tests without a page. */
  var typedAhead: { hold: () => void; drop: () => void } | undefined
}

/**
 * Starts to buffer keys and pastes until a text field receives the focus, which gets the text. A click
 * discards the buffer, so that no other field gets the text.
 */
export const holdTyping = (): void => globalThis.typedAhead?.hold()

/** Stops buffering and discards buffered text. */
export const dropTyping = (): void => globalThis.typedAhead?.drop()
