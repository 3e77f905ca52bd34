import { gql } from '@apollo/client'
import { expect, it, onTestFinished, vi } from 'vitest'

const ME = gql`
  query Me {
    me {
      id
    }
  }
`
const BROUGHT_ALONG = { me: { __typename: 'Me', id: '1' } }

it('asks for nothing that a page from the server brought along in its first 100 ms, and then as ever [9.7]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('document', { cookie: '', getElementById: () => null })
  vi.stubGlobal('location', { origin: 'https://dosar.test', pathname: '/' })
  const requested = vi.fn(async () => {
    throw new TypeError('no network')
  })
  vi.stubGlobal('fetch', requested)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const { client } = await import('./client.ts')
  client.writeQuery({ query: ME, data: BROUGHT_ALONG })
  const ask = () => client.query({ query: ME, fetchPolicy: 'network-only' })

  vi.advanceTimersByTime(99)
  expect((await ask()).data).toEqual(BROUGHT_ALONG)
  expect(requested).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  await expect(ask()).rejects.toThrow('no network')
  expect(requested).toHaveBeenCalled()
})
