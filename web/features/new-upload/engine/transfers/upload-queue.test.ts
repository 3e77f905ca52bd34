import { expect, it } from 'vitest'
import { createUploadQueue } from './upload-queue.ts'

function addTasks(limit: number, names: readonly string[]) {
  const queue = createUploadQueue(limit)
  const started: string[] = []
  const end = Object.fromEntries(names.map((name) => [name, queue.add(() => started.push(name))]))
  return { queue, started, end: (name: string) => end[name]!() }
}

it('starts as many tasks as the limit allows', () => {
  expect(addTasks(2, ['a', 'b', 'c']).started).toEqual(['a', 'b'])
})

it('starts the next task in order when a running task ends', async () => {
  const { started, end } = addTasks(2, ['a', 'b', 'c', 'd'])
  end('b')
  await Promise.resolve()
  expect(started).toEqual(['a', 'b', 'c'])
  end('a')
  end('c')
  await Promise.resolve()
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

it('never starts a task that ended while it waited', async () => {
  const { started, end } = addTasks(1, ['a', 'b', 'c'])
  end('b')
  end('a')
  await Promise.resolve()
  expect(started).toEqual(['a', 'c'])
})

it('starts nothing when all tasks are ended in a loop', async () => {
  const { started, end } = addTasks(1, ['a', 'b', 'c'])
  for (const name of ['a', 'b', 'c']) end(name)
  await Promise.resolve()
  expect(started).toEqual(['a'])
})

it('frees one place when a task is ended twice', async () => {
  const { started, end } = addTasks(1, ['a', 'b', 'c'])
  end('a')
  end('a')
  await Promise.resolve()
  expect(started).toEqual(['a', 'b'])
})

it('puts a task that is added again behind the waiting ones', async () => {
  const { queue, started, end } = addTasks(1, ['a', 'b'])
  end('a')
  queue.add(() => started.push('a again'))
  await Promise.resolve()
  expect(started).toEqual(['a', 'b'])
  end('b')
  await Promise.resolve()
  expect(started).toEqual(['a', 'b', 'a again'])
})
