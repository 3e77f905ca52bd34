import { expect, test } from 'vitest'
import { errorFields } from './log.ts'

const failure = Object.assign(new TypeError('Ionescu Maria: 2960229410015'), { code: 'ECONNREFUSED' })

test('the log has class, code and stack of an error, and never its message', () => {
  const fields = errorFields(failure)
  expect(fields).toEqual({
    error: 'TypeError',
    code: 'ECONNREFUSED',
    stack: expect.stringContaining('    at '),
  })
  expect(JSON.stringify(fields)).not.toContain('Ionescu')
})

test('the log has code and stack of an error that the queue has copied into an object', () => {
  const copy = { ...failure, message: failure.message, stack: failure.stack, queue: 'read-file' }
  expect(errorFields(copy)).toEqual({ ...errorFields(failure), error: 'object' })
})

test.each([undefined, null, 'text', 7])(
  'what is thrown without being an error is described by its type: %s',
  (thrown) => {
    expect(errorFields(thrown)).toEqual({ error: typeof thrown })
  },
)
