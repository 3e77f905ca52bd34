declare global {
  /** Set by public/boot.js, before any module; undefined in tests without a page. */
  var typedAhead: { hold: () => void; drop: () => void } | undefined
}

/** From here on keys and pastes wait for the next text field that takes the focus by itself; no other field gets them. */
export const holdTyping = (): void => globalThis.typedAhead?.hold()

/** The keys go to the page again; what was typed and not taken by a field is lost. */
export const dropTyping = (): void => globalThis.typedAhead?.drop()
