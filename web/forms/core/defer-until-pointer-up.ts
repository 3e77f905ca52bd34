let isPressed = false

if (typeof document !== 'undefined') {
  const setPressed = (pressed: boolean) => () => {
    isPressed = pressed
  }
  document.addEventListener('pointerdown', setPressed(true), true)
  // A press that ends outside of the window sends no event; the next key resets the state.
  for (const end of ['pointerup', 'pointercancel', 'keydown'])
    document.addEventListener(end, setPressed(false), true)
}

/**
 * Calls `act` at once, or after the current press ends. A layout change between pointerdown and pointerup
 * would move the button away from the pointer, and the click would be lost.
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
    // The click event follows pointerup.
    setTimeout(act)
  }
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, finish, { signal })
}
