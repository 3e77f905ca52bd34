import { expect, it, onTestFinished } from 'vitest'
import { openSandbox, SandboxFailure } from './sandbox.ts'

const MIB = 1024 * 1024

function open(worker = '../../test/sandbox-worker.ts', time = 20_000) {
  const sandbox = openSandbox<string, unknown>(new URL(worker, import.meta.url), { time, memory: 1024 * MIB })
  onTestFinished(sandbox.close)
  return sandbox
}

it('has no environment and cannot write', async () => {
  process.env.SANDBOX_TEST_SECRET = 'x'
  onTestFinished(() => {
    delete process.env.SANDBOX_TEST_SECRET
  })
  const sandbox = open()
  expect(await sandbox.run('environment')).not.toContain('SANDBOX_TEST_SECRET')
  expect(await sandbox.run('environment')).not.toContain('PATH')
  expect(await sandbox.run('write')).toBe('ERR_ACCESS_DENIED')
})

it.each(['heap', 'buffers', 'throw'])('survives a task that crashes it: %s', async (task) => {
  const sandbox = open()
  await expect(sandbox.run(task)).rejects.toThrow(SandboxFailure)
  expect(await sandbox.run('write')).toBe('ERR_ACCESS_DENIED')
})

it('kills a task that does not end', async () => {
  const sandbox = open(undefined, 1_000)
  await expect(sandbox.run('loop')).rejects.toThrow(SandboxFailure)
  expect(await sandbox.run('write')).toBe('ERR_ACCESS_DENIED')
})

it('does not report a process that does not start as a failed task', async () => {
  const sandbox = open('./no-such-worker.ts')
  const failure = await sandbox.run('write').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(SandboxFailure)
})
