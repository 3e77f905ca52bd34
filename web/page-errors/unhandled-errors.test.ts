import { afterEach, beforeEach, expect, it, vi } from 'vitest'

type Listener = (event: Record<string, unknown>) => void
let listeners: Record<string, Listener>
let sent: unknown[]

beforeEach(() => {
  listeners = {}
  sent = []
  vi.resetModules()
  vi.stubGlobal('document', { querySelector: () => ({ content: 'b1' }) })
  vi.stubGlobal('location', { origin: 'https://dosar.test', pathname: '/patients/7' })
  vi.stubGlobal('window', { addEventListener: (name: string, run: Listener) => (listeners[name] = run) })
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => sent.push(JSON.parse(body)))
})
afterEach(() => void vi.unstubAllGlobals())

async function openPage() {
  const errors = await import('./unhandled-errors.ts')
  errors.collectUnhandledErrors()
  return errors
}
const withStack = (error: Error, stack: string) => Object.assign(error, { stack })

it('an error of a handler or a promise is shown once and each is reported without its message [2.16] [8.12]', async () => {
  const page = await openPage()
  const filename = 'https://dosar.test/assets/main.js'
  const error = withStack(
    new TypeError('Ion Popescu'),
    'TypeError: Ion Popescu\n    at x (https://dosar.test/assets/main-a_1bcdef.js:1:20)\n at https://dosar.test/patients/7',
  )
  listeners.error!({ error, message: 'Ion Popescu', filename })
  listeners.unhandledrejection!({ reason: Object.assign(new Error('b'), { status: 409, requestId: 'r1' }) })
  listeners.unhandledrejection!({ reason: { name: 'Popescu', stack: 'a' } })
  expect(page.getUnhandledError()?.error).toBe(error)
  expect(sent).toMatchObject([
    {
      name: 'TypeError',
      status: null,
      request: null,
      screen: '/patients/$patientId',
      build: 'b1',
      positions: ['assets/main-a_1bcdef.js:1:20'],
    },
    { name: 'Error', status: 409, request: 'r1' },
    { name: null, positions: [] },
  ])
  expect(JSON.stringify(sent)).not.toContain('Popescu')
  page.dismissUnhandledError()
  expect(page.getUnhandledError()).toBeNull()
  for (let count = 0; count < 9; count += 1) listeners.unhandledrejection!({ reason: new Error('c') })
  expect(page.getUnhandledError()).not.toBeNull()
  expect(sent).toHaveLength(5)
})

it('errors that are no fault of the product are not shown [2.16]', async () => {
  const page = await openPage()
  const own = 'https://dosar.test/assets/main.js'
  const extension = withStack(new Error('x'), 'at moz-extension://0f/inject.js:1:1')
  listeners.error!({
    error: null,
    message: 'ResizeObserver loop completed with undelivered notifications.',
    filename: own,
  })
  listeners.error!({ error: null, message: 'Script error.', filename: '' })
  listeners.error!({
    error: new Error('x'),
    message: 'x',
    filename: 'chrome-extension://abc/content.js',
  })
  listeners.error!({ error: extension, message: 'x', filename: own })
  listeners.unhandledrejection!({ reason: new DOMException('The user aborted a request.', 'AbortError') })
  listeners.unhandledrejection!({ reason: extension })
  expect(page.getUnhandledError()).toBeNull()
  expect(sent).toEqual([])
})
