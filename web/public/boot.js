// Runs before the first paint and before any module: sets the colour mode, so that no page flashes in the wrong one.
// A file of its own because the content security policy allows no inline script. The key and the rule are the same as
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
