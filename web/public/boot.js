// Runs before the first paint and before any module. A file of its own because the content security policy allows no
// inline script.

// Sets the colour mode, so that no page flashes in the wrong one. The key and the rule are the same as
// in web/ui/colour-mode.ts, which takes over once the application has started.
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
    root.querySelector('button').addEventListener('click', () => location.reload())
  },
  true,
)
