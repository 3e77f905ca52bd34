import { reportPageError } from './report-page-error.ts'

/** An error that no code of the page has handled, and when it happened. */
export type UnhandledError = { error: unknown; at: Date }

let current: UnhandledError | null = null
const listeners = new Set<() => void>()

/** Returns the unhandled error that is shown; null if there is none. */
export const getUnhandledError = (): UnhandledError | null => current

export function subscribeUnhandledError(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the error; while one is shown, a later one is only reported. */
function show(error: unknown): void {
  reportPageError(error)
  if (current === null) set({ error, at: new Date() })
}

export const dismissUnhandledError = (): void => set(null)

function set(next: UnhandledError | null): void {
  current = next
  for (const listener of listeners) listener()
}

/** Shows and reports every error of an event handler or a promise that no code has handled [2.16] [8.12]. */
export function collectUnhandledErrors(): void {
  window.addEventListener('error', ({ error, message, filename }) => {
    // Of a script of another site the browser reveals neither the error nor the address.
    const isOwn = filename === '' ? error != null : filename.startsWith(`${location.origin}/`)
    if (isOwn && !isHarmless(error, message)) show(error ?? message)
  })
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (!isHarmless(reason, String(Object(reason).message ?? ''))) show(reason)
  })
}

/** Addresses of scripts that a browser extension adds to the page. */
const EXTENSION_SCRIPT = /\b[a-z-]+-extension:\/\//
/** A browser's remark that a layout needs one more frame; nothing is wrong. */
const RESIZE_REMARK = /^ResizeObserver loop/

/** Whether nothing is wrong for the user: a request was cancelled, or the error is not the product's own. */
export function isHarmless(error: unknown, message: string): boolean {
  const { name, stack } = Object(error) as Record<string, unknown>
  return name === 'AbortError' || RESIZE_REMARK.test(message) || EXTENSION_SCRIPT.test(String(stack))
}
