import pg from 'pg'

/**
 * Records the statements that connections send which are opened from now on; call it before the server is opened. `during` returns
 * those of `work`, without what begins and ends a transaction.
 */
export function recordStatements() {
  const { query } = pg.Client.prototype
  const sent: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: [string | { text: string }]) {
    sent.push(typeof args[0] === 'string' ? args[0] : args[0].text)
    return Reflect.apply(query, this, args)
  } as typeof query
  return {
    during: async (work: () => Promise<unknown>): Promise<string[]> => {
      const before = sent.length
      await work()
      return sent.slice(before).filter((text) => !/^\s*(begin|commit|set)\b/i.test(text))
    },
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}
