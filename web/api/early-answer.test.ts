import { afterEach, expect, it, vi } from 'vitest'
import { takeEarlyAnswer } from './early-answer.ts'

const tokenOf = (sub: string) => `e30.${btoa(JSON.stringify({ sub }))}.x`
const request = (user: string, hash: string, variables: object): RequestInit => ({
  headers: { authorization: `Bearer ${tokenOf(user)}` },
  body: JSON.stringify({ variables, query: '{ me }', extensions: { persistedQuery: { sha256Hash: hash } } }),
})
/** The page has asked document `h1` for Ana; this response came. */
const pageAsked = (response: Response | Promise<Response>) => {
  globalThis.earlyResponses = new Map([['ana h1 {"search":""}', Promise.resolve(response)]])
}
const send = vi.fn(async () => Response.json({ data: 'sent' }))
const ask = async (init: RequestInit) => (await (await takeEarlyAnswer(init, send)).json()).data

afterEach(() => {
  globalThis.earlyResponses = undefined
  send.mockClear()
})

it('the answer to the question of the page is taken once', async () => {
  pageAsked(Response.json({ data: 'early' }))
  expect(await ask(request('ana', 'h1', { search: '' }))).toBe('early')
  expect(send).not.toHaveBeenCalled()
  expect(await ask(request('ana', 'h1', { search: '' }))).toBe('sent')
})

it('a request of another user, with another document or other variables is sent', async () => {
  pageAsked(Response.json({ data: 'early' }))
  expect(await ask(request('dan', 'h1', { search: '' }))).toBe('sent')
  expect(await ask(request('ana', 'h2', { search: '' }))).toBe('sent')
  expect(await ask(request('ana', 'h1', { search: 'ion' }))).toBe('sent')
  expect(await ask({ headers: { 'x-api-key': 'dk_test' }, body: '{}' })).toBe('sent')
})

it.each([
  ['refused', () => Response.json({}, { status: 401 })],
  ['unavailable', () => Response.json({}, { status: 503 })],
  ['lost', () => Promise.reject(new TypeError('Failed to fetch'))],
])('after an answer that was %s the request is sent', async (_, respond) => {
  pageAsked(respond())
  expect(await ask(request('ana', 'h1', { search: '' }))).toBe('sent')
  expect(send).toHaveBeenCalledTimes(1)
})
