/** The server's clock as it was last read, and both clocks of the browser at that moment; all in milliseconds. */
let reading = { server: Date.now(), date: Date.now(), ticks: performance.now() }

/** Reads the server's clock off an answer. */
export function readServerClock({ headers }: Response): void {
  const server = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(server)) reading = { server, date: Date.now(), ticks: performance.now() }
}

/** What the server's clock said when it was last read, in unix seconds. */
export const lastReadAt = (): number => reading.server / 1000

/**
 * The server's time in unix seconds: a token ends by the server's clock, and a browser's may be days off [R22]. Of the
 * browser's two clocks the one that went further counts: one can be set back, the other stands still while a computer sleeps.
 */
export function serverNow(): number {
  const passed = Math.max(Date.now() - reading.date, performance.now() - reading.ticks)
  return (reading.server + passed) / 1000
}
