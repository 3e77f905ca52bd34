import { describe, expect, it } from 'vitest'
import { chooseLanes, openLanes } from './lanes.ts'

const GIB = 1024 ** 3

/** Lets finished tasks make room for others. */
const flush = () => new Promise(setImmediate)

/**
 * Opens lanes, and tasks that note their start and wait until `finish` is called with their name; after
 * `letTimePass` all running tasks are slow.
 */
function open(count: number) {
  const lanes = openLanes({ count, memory: GIB })
  const started: string[] = []
  const running = new Map<string, { finish(): void; onSlow(): void }>()
  const run = (name: string) =>
    lanes.run(
      name[0]!,
      ({ signal, onSlow }) =>
        new Promise<string>((resolve, reject) => {
          started.push(name)
          const end = () => running.delete(name)
          const finish = () => {
            end()
            resolve(name)
          }
          running.set(name, { finish, onSlow })
          signal.addEventListener('abort', () => {
            end()
            reject(signal.reason)
          })
        }),
    )
  const finish = async (name: string) => {
    running.get(name)!.finish()
    await flush()
  }
  const letTimePass = async () => {
    for (const { onSlow } of [...running.values()]) onSlow()
    await flush()
  }
  return { run, finish, letTimePass, started, isRunning: (name: string) => running.has(name) }
}

describe('chooseLanes', () => {
  it.each([
    ['two on one core, so that one is free for another owner', 1, 8, { count: 2, memory: GIB }],
    ['as many as cores', 4, 16, { count: 4, memory: GIB }],
    ['eight at most', 64, 256, { count: 8, memory: GIB }],
    ['fewer with little memory', 8, 4, { count: 4, memory: GIB / 2 }],
    ['with less memory each on a small machine', 2, 1, { count: 2, memory: GIB / 4 }],
  ])('makes %s', (_what, cores, memory, expected) => {
    expect(chooseLanes(cores, memory * GIB)).toEqual(expected)
  })

  it('never takes more than half of the memory', () => {
    for (const cores of [1, 2, 3, 8, 32])
      for (const memory of [1, 2, 3, 4, 7, 24]) {
        const lanes = chooseLanes(cores, memory * GIB)
        expect(lanes.count * lanes.memory).toBeLessThanOrEqual((memory * GIB) / 2)
      }
  })
})

describe('the lanes', () => {
  it('run as many tasks as there are lanes, and of one owner one fewer while others wait', async () => {
    const { run, started, finish, isRunning } = open(4)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void run(name)
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4'])
    const stopped = run('b1')
    void run('b2')
    await flush()
    expect(started.slice(4)).toEqual(['b1'])
    expect(isRunning('a4')).toBe(false)
    await finish('a2')
    expect(started.slice(5)).toEqual(['b2'])
    await finish('b1')
    await expect(stopped).resolves.toBe('b1')
    // The task that was ended runs again, after those that waited before it.
    for (const name of ['a1', 'a3', 'b2', 'a5']) await finish(name)
    expect(started.slice(6)).toEqual(['a5', 'a4'])
  })

  it('lend no lane to a task that was slow', async () => {
    const { run, started, finish, letTimePass, isRunning } = open(2)
    for (const name of ['a1', 'a2']) void run(name)
    await letTimePass()
    // The second had no place among the slow ones.
    expect([isRunning('a1'), isRunning('a2')]).toEqual([true, false])
    void run('b1')
    await finish('b1')
    expect(started).toEqual(['a1', 'a2', 'b1'])
    await finish('a1')
    expect(started.slice(3)).toEqual(['a2'])
  })

  it('start the task of another owner next, however many wait before it', async () => {
    const { run, started, finish } = open(2)
    for (let number = 1; number <= 50; number += 1) void run(`a${number}`)
    void run('b1')
    await flush()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    void run('c1')
    await finish('a1')
    expect(started[3]).toBe('c1')
    void run('b2')
    await finish('c1')
    // The longest not served of those that have no task running.
    expect(started[4]).toBe('a3')
    await finish('b1')
    expect(started[5]).toBe('b2')
  })

  it('return the result, and the error, of the work', async () => {
    const lanes = openLanes({ count: 2, memory: GIB })
    await expect(lanes.run('a', async () => 7)).resolves.toBe(7)
    await expect(lanes.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(lanes.run('a', async () => 8)).resolves.toBe(8)
  })

  describe('with slow tasks', () => {
    it('keep one lane free of them, and run the one that had no place again from its beginning', async () => {
      const { run, started, finish, isRunning, letTimePass } = open(2)
      const first = run('a1')
      const second = run('b1')
      await letTimePass()
      expect([isRunning('a1'), isRunning('b1')]).toEqual([true, false])
      for (const name of ['c1', 'd1', 'a2', 'c2']) {
        const quick = run(name)
        await flush()
        expect(isRunning(name)).toBe(true)
        // The owner of the slow task has its share of the lanes already: this one is ended when another owner comes.
        if (name === 'a2') continue
        expect(isRunning('a2')).toBe(false)
        await finish(name)
        await expect(quick).resolves.toBe(name)
      }
      expect(isRunning('a2')).toBe(true)
      await letTimePass()
      expect([isRunning('b1'), isRunning('a2')]).toEqual([false, false])
      await finish('a1')
      void run('e1')
      expect([isRunning('b1'), isRunning('e1')]).toEqual([true, true])
      await letTimePass()
      // A task that runs again stays; the quick one that turned slow makes room.
      expect([isRunning('b1'), isRunning('e1')]).toEqual([true, false])
      await finish('b1')
      await expect(first).resolves.toBe('a1')
      await expect(second).resolves.toBe('b1')
      expect(started.filter((name) => name === 'b1')).toHaveLength(2)
      expect(isRunning('a2')).toBe(true)
    })

    it('run an owner’s other tasks before them', async () => {
      const { run, started, finish, letTimePass } = open(2)
      for (const name of ['a1', 'b1']) void run(name)
      await letTimePass()
      for (const name of ['b2', 'b3']) void run(name)
      await finish('a1')
      await finish('b2')
      expect(started.slice(2)).toEqual(['b2', 'b3'])
      await finish('b3')
      expect(started.slice(4)).toEqual(['b1'])
    })

    it('let a stranger’s task begin within the time of one quick task, whatever others do', async () => {
      const { run, isRunning, letTimePass } = open(2)
      for (const owner of ['a', 'b', 'c', 'd'])
        for (let number = 1; number <= 50; number += 1) void run(`${owner}${number}`)
      // All of them are slow.
      for (let times = 0; times < 10; times += 1) await letTimePass()
      void run('z1')
      expect(isRunning('z1')).toBe(false)
      await letTimePass()
      expect(isRunning('z1')).toBe(true)
    })
  })
})
