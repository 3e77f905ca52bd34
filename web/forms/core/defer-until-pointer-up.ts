let isPressed = false

if (typeof document !== 'undefined') {
  const note = (pressed: boolean) => () => {
    isPressed = pressed
  }
  document.addEventListener('pointerdown', note(true), true)
  // A press that ends outside of the window says nothing; the next key does.
  for (const end of ['pointerup', 'pointercancel', 'keydown'])
    document.addEventListener(end, note(false), true)
}

/**
 * Acts at once, or after the press that is under way: what appears between a button's going down and coming up would move
 * the button from under the pointer, and the click would be lost.
 */
export function deferUntilPointerUp(act: () => void): void {
  if (!isPressed) {
    act()
    return
  }
  const ended = new AbortController()
  const { signal } = ended
  const finish = () => {
    ended.abort()
    // The click itself comes after the pointer's end.
    setTimeout(act)
  }
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, finish, { signal })
}
