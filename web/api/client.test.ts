import { gql } from '@apollo/client'
import { expect, it, onTestFinished, vi } from 'vitest'

const ME = gql`
  query Me {
    me {
      id
    }
  }
`
const SERVER_DATA = { me: { __typename: 'Me', id: '1' } }

it('the client uses the data of a server-rendered page for 100 ms, then sends requests [9.7]', async () => {
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
  // Another test of this process may have loaded it, and its 100 ms are over.
  vi.resetModules()
  const { client } = await import('./client.ts')
  client.writeQuery({ query: ME, data: SERVER_DATA })
  const query = () => client.query({ query: ME, fetchPolicy: 'network-only' })

  vi.advanceTimersByTime(99)
  expect((await query()).data).toEqual(SERVER_DATA)
  expect(requested).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  await expect(query()).rejects.toThrow('no network')
  expect(requested).toHaveBeenCalled()
})
