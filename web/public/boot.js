// A separate file, because the content security policy forbids inline scripts.

// Sets the colour mode, by the key and the rule of web/ui/colour-mode/colour-mode.ts, before anything is painted.
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

// Shows an error page if the application does not start. Once it has, web/main.tsx removes the template.
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

// Buffers keys and pastes while the page loads, and inserts them into the first text field that gets the focus
// without a click. Stops on `drop` (web/ui/options/typed-ahead.ts). Buffers nothing during a sign-in, when the
// keys may be a password: neither on its page nor after the return from a provider
// (web/session/provider-sign-in.ts).
;(() => {
  let text = ''
  // After Tab or Enter the keys are meant for another field, perhaps a password: they are not buffered.
  let isEnded = false
  const onKeyDown = (event) => {
    const { key, ctrlKey, altKey, metaKey, target } = event
    // Windows reports AltGr, which writes letters, as Ctrl and Alt.
    if (metaKey || ctrlKey !== altKey) return
    if (key === 'Tab' || key === 'Enter') isEnded = true
    if (isEnded || target.closest('a, button, select, summary')) return
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
    const buffered = text
    drop()
    // After rendering and before the next key.
    if (buffered !== '') queueMicrotask(() => document.execCommand('insertText', false, buffered))
  }
  const drop = () => {
    text = ''
    document.removeEventListener('keydown', onKeyDown, true)
    document.removeEventListener('paste', onPaste, true)
    document.removeEventListener('focusin', onFocus, true)
    document.removeEventListener('pointerdown', drop, true)
  }
  globalThis.typedAhead = { drop }
  try {
    const isSigningIn = sessionStorage.getItem('dosar-provider-sign-in') !== null
    sessionStorage.removeItem('dosar-provider-sign-in')
    if (isSigningIn) return
  } catch {
    // Storage is blocked: no provider sign-in is recorded.
  }
  document.addEventListener('keydown', onKeyDown, true)
  document.addEventListener('paste', onPaste, true)
  document.addEventListener('focusin', onFocus, true)
  document.addEventListener('pointerdown', drop, true)
})()
