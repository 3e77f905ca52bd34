// Runs before the first paint and before any module. A file of its own because the content security policy allows no
// inline script.

// Sets the colour mode, so that no page flashes in the wrong one. The key and the rule are the same as
// in web/ui/colour-mode/colour-mode.ts, which takes over once the application has started.
;(() => {
  let preference = null
  try {
    preference = localStorage.getItem('dosar-color-mode')
  } catch {
    // Storage is blocked: follow the system.
  }
  const dark =
    preference === 'dark' || (preference !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()

// Where the application itself does not start (a script does not come, or this browser cannot run it), says so in its place.
// Once it has started, the page to show is gone (web/main.tsx), and errors are its own affair.
addEventListener(
  'error',
  ({ target, filename }) => {
    const page = document.getElementById('no-start')
    if (!page || !(target instanceof HTMLScriptElement || filename?.startsWith(location.origin))) return
    const root = document.getElementById('root')
    root.replaceChildren(page.content.cloneNode(true))
    globalThis.typedAhead.drop()
    root.querySelector('button').addEventListener('click', () => location.reload())
  },
  true,
)

// Keeps what is typed or pasted while no screen is there to take it, and writes it into the first text field that takes the
// focus by itself. From the beginning of the page, and again after `hold`; until `drop` (web/ui/options/typed-ahead.ts).
;(() => {
  let text = ''
  const onKeyDown = (event) => {
    const { key, ctrlKey, altKey, metaKey } = event
    // Windows reports AltGr, which writes letters, as Ctrl and Alt.
    if (metaKey || ctrlKey !== altKey) return
    if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += key
    else return
    event.preventDefault()
  }
  const onPaste = (event) => {
    event.preventDefault()
    text += event.clipboardData.getData('text/plain').trim()
  }
  const onFocus = ({ target }) => {
    if (!target.matches('textarea, input:not([type=password], [type=checkbox], [type=radio], [type=file])'))
      return
    const written = text
    drop()
    // Once the screen is drawn, and before the next key.
    if (written !== '') queueMicrotask(() => document.execCommand('insertText', false, written))
  }
  const hold = () => {
    document.addEventListener('keydown', onKeyDown, true)
    document.addEventListener('paste', onPaste, true)
    document.addEventListener('focusin', onFocus, true)
    document.addEventListener('pointerdown', drop, true)
  }
  const drop = () => {
    text = ''
    document.removeEventListener('keydown', onKeyDown, true)
    document.removeEventListener('paste', onPaste, true)
    document.removeEventListener('focusin', onFocus, true)
    document.removeEventListener('pointerdown', drop, true)
  }
  globalThis.typedAhead = { hold, drop }
  hold()
})()
