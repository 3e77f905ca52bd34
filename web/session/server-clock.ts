/**
 * The server's clock at the last response, and both clocks of the browser at that moment; in milliseconds.
 */
let reading = { server: Date.now(), date: Date.now(), ticks: performance.now() }

/** Reads the server's clock from the `Date` header of a response. */
export function readServerClock({ headers }: Response): void {
  const server = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(server)) reading = { server, date: Date.now(), ticks: performance.now() }
}

/** Returns the server's time at the last response, in unix seconds. */
export const lastReadAt = (): number => reading.server / 1000

/**
 * Returns the server's current time in unix seconds: a token expires by the server's clock, and a browser's
 * may be days off [R22]. The larger advance of the browser's two clocks counts: one can be set back, the
 * other stops while a computer sleeps.
 */
export function serverNow(): number {
  const passed = Math.max(Date.now() - reading.date, performance.now() - reading.ticks)
  return (reading.server + passed) / 1000
}
