import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let idle: typeof import('./when-idle.ts')
beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  idle = await import('./when-idle.ts')
})
afterEach(() => {
  vi.useRealTimers()
})

test('a task waits for the first screen, and then for what the screen has postponed it for', async () => {
  const run = vi.fn()
  const { promise, resolve } = Promise.withResolvers<void>()
  idle.whenIdle(run)
  idle.postponeIdleTasks(promise)
  idle.startIdleTasks()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(run).not.toHaveBeenCalled()
  resolve()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(run).toHaveBeenCalledOnce()
})

test.each([
  ['has failed', () => Promise.reject(new Error('no document'))],
  ['never comes', () => new Promise(() => {})],
])('a task runs at last where what it waits for %s', async (_, start) => {
  const run = vi.fn()
  idle.postponeIdleTasks(start())
  idle.startIdleTasks()
  idle.whenIdle(run)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).toHaveBeenCalledOnce()
})
