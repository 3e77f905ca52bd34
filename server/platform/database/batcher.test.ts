import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { batchRows, createBatcher, createBatcherPerPool } from './batcher.ts'

const BREAKS = ['ECONNREFUSED', 'EHOSTUNREACH', 'EPROTO', '57P01']

describe('batchRows', () => {
  const load = async (_pool: object, items: readonly number[]) => {
    await pause(1)
    return items.flatMap((item) => Array.from({ length: item }, (_, at) => ({ of: item, at })))
  }

  it('returns each item its own rows, in order, and none where there are none', async () => {
    const calls: number[][] = []
    const request = batchRows(
      (pool: object, items: readonly number[]) => {
        calls.push([...items])
        return load(pool, items)
      },
      String,
      (row) => String(row.of),
    )
    const pool = {}
    expect(await Promise.all([request(pool, 2), request(pool, 0), request(pool, 1)])).toEqual([
      [
        { of: 2, at: 0 },
        { of: 2, at: 1 },
      ],
      [],
      [{ of: 1, at: 0 }],
    ])
    expect(calls).toEqual([[2, 0, 1]])
  })

  it('rejects all items of a failed call, without a call for each', async () => {
    let calls = 0
    const request = batchRows(
      async (): Promise<{ of: number }[]> => {
        calls += 1
        throw new Error('too long')
      },
      String,
      (row) => String(row.of),
    )
    const pool = {}
    const settled = await Promise.allSettled([request(pool, 1), request(pool, 2)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(calls).toBe(1)
  })
})

describe('createBatcher', () => {
  it('combines all items of one tick, and all items that arrive during a call', async () => {
    const calls: number[][] = []
    const request = createBatcher(async (items: readonly number[]) => {
      calls.push([...items])
      await pause(1)
      return items.map((item) => item * 2)
    })
    const first = [1, 2].map(request)
    await null
    const later = [3, 4].map(request)
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8])
    expect(calls).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(await request(5)).toBe(10)
    expect(calls.at(-1)).toEqual([5])
  })

  it('returns each caller its own result, and rejects only the items that fail alone', async () => {
    const question = fc.record({ item: fc.integer({ min: -5, max: 50 }), wait: fc.nat({ max: 3 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(question, { maxLength: 20 }), async (questions) => {
        const request = createBatcher(async (items: readonly number[]) => {
          await pause(1)
          if (items.some((item) => item < 0)) throw new Error('negative')
          return items.map((item) => `answer ${item}`)
        })
        await Promise.all(
          questions.map(async ({ item, wait }) => {
            await pause(wait)
            if (item < 0) await expect(request(item)).rejects.toThrow('negative')
            else expect(await request(item)).toBe(`answer ${item}`)
          }),
        )
      }),
      { numRuns: 30 },
    )
  })

  it.each(BREAKS)('does not repeat a call that a lost connection (%s) may have executed', async (code) => {
    let calls = 0
    const request = createBatcher(async () => {
      calls += 1
      await pause(1)
      throw Object.assign(new Error('gone'), { code })
    })
    const settled = await Promise.allSettled([1, 2, 3].map(request))
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(calls).toBe(1)
  })

  it('lets no caller wait longer than a second for a call that hangs', async () => {
    let calls = 0
    const request = createBatcher(async (items: readonly string[]) => {
      calls += 1
      return calls === 1 ? new Promise<never>(() => undefined) : items
    })
    vi.useFakeTimers()
    void request('hangs')
    await null
    const responses = Promise.all([request('a'), request('b')])
    await vi.advanceTimersByTimeAsync(999)
    expect(calls).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await responses).toEqual(['a', 'b'])
    expect(calls).toBe(2)
  })

  it('does not combine items of different pools', async () => {
    const request = createBatcherPerPool(async (pool: { name: string }, items: readonly number[]) =>
      items.map((item) => `${pool.name}${item}`),
    )
    const [a, b] = [{ name: 'a' }, { name: 'b' }]
    expect(await Promise.all([request(a, 1), request(b, 1), request(a, 2), request(b, 2)])).toEqual([
      'a1',
      'b1',
      'a2',
      'b2',
    ])
  })
})
