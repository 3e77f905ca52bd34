import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client'
import { expect, it } from 'vitest'
import { takeLatestAnswer } from './latest-answer.ts'

const COUNT = gql`
  query Count($of: String) {
    count(of: $of)
  }
`
type Request = { answer: (count: number) => void; refuse: () => void; fail: () => void }

/** Returns a client whose requests the test answers, in the order in which they were sent. */
function connect() {
  const requests: Request[] = []
  const server = new ApolloLink(
    () =>
      new Observable((observer) => {
        const end = (result: ApolloLink.Result) => {
          observer.next(result)
          observer.complete()
        }
        requests.push({
          answer: (count) => end({ data: { count } }),
          refuse: () => end({ data: null, errors: [{ message: 'refused' }] }),
          fail: () => observer.error(new Error('no connection')),
        })
      }),
  )
  const client = new ApolloClient({
    link: takeLatestAnswer().concat(server),
    cache: new InMemoryCache(),
    queryDeduplication: false,
  })
  const read = async (of = 'a'): Promise<number | string> => {
    try {
      const { data } = await client.query({ query: COUNT, variables: { of }, fetchPolicy: 'network-only' })
      return (data as { count: number }).count
    } catch (error) {
      return (error as Error).message
    }
  }
  const cached = (of = 'a') => client.readQuery({ query: COUNT, variables: { of } })
  return { requests, read, cached }
}

it('an older request that answers late gets what a newer equal one has read, and the cache keeps it', async () => {
  const { requests, read, cached } = connect()
  const [first, second, third] = [read(), read(), read()]
  requests[1]!.answer(2)
  expect(await second).toBe(2)
  requests[0]!.answer(1)
  expect(await first).toBe(2)
  expect(cached()).toEqual({ count: 2 })
  requests[2]!.answer(3)
  expect(await third).toBe(3)
  expect(cached()).toEqual({ count: 3 })
})

it('answers in the order of the requests stay as they are, and so does one that comes after all others', async () => {
  const { requests, read } = connect()
  const [first, second] = [read(), read()]
  requests[0]!.answer(1)
  expect(await first).toBe(1)
  requests[1]!.answer(2)
  expect(await second).toBe(2)
  const third = read()
  requests[2]!.answer(0)
  expect(await third).toBe(0)
})

it('requests with other variables have answers of their own', async () => {
  const { requests, read, cached } = connect()
  const [first, second] = [read('a'), read('b')]
  requests[1]!.answer(2)
  requests[0]!.answer(1)
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(cached('a')).toEqual({ count: 1 })
})

it('a newer request that fails gives no answer, and an older one that fails gets the newer answer', async () => {
  const { requests, read } = connect()
  const [first, second, third, fourth] = [read(), read(), read(), read()]
  requests[3]!.refuse()
  expect(await fourth).toBe('refused')
  requests[2]!.fail()
  expect(await third).toBe('no connection')
  requests[1]!.answer(2)
  expect(await second).toBe(2)
  requests[0]!.fail()
  expect(await first).toBe(2)
})
