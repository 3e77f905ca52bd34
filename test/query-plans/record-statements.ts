import pg from 'pg'

/**
 * Records the statements that connections send which are opened from now on; call it before the server is opened. `during` returns
 * those of `work`, without what begins and ends a transaction.
 */
export function recordStatements() {
  const { connect, query } = pg.Client.prototype
  /** A server of an earlier test file may still have connections in this process. */
  const opened = new WeakSet<pg.Client>()
  const sent: string[] = []
  pg.Client.prototype.connect = function (this: pg.Client, ...args: []) {
    opened.add(this)
    return Reflect.apply(connect, this, args)
  } as typeof connect
  pg.Client.prototype.query = function (this: pg.Client, ...args: [string | { text: string }]) {
    if (opened.has(this)) sent.push(typeof args[0] === 'string' ? args[0] : args[0].text)
    return Reflect.apply(query, this, args)
  } as typeof query
  return {
    during: async (work: () => Promise<unknown>): Promise<string[]> => {
      const before = sent.length
      await work()
      return sent.slice(before).filter((text) => !/^\s*(begin|commit|set)\b/i.test(text))
    },
    stop: () => {
      pg.Client.prototype.connect = connect
      pg.Client.prototype.query = query
    },
  }
}
