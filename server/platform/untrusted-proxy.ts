import type { Log } from './log.ts'

/** The first request with a forwarded address: from which address, null without a socket, and when. */
export type ForwardedRequest = { address: string | null; at: Date }

export type UntrustedProxy = {
  /** Reports a request with a forwarded address, which is not trusted. */
  report(address: string | null): void
  /** Returns the first such request since the start of this process; null if there was none. */
  first(): ForwardedRequest | null
}

/**
 * Notices that the server is probably behind a proxy that it does not trust: then all users count as one
 * network. Warns once, since any client can send the header.
 */
export function watchUntrustedProxy(log: Log): UntrustedProxy {
  let first: ForwardedRequest | null = null
  return {
    report: (address) => {
      if (first) return
      first = { address, at: new Date() }
      log.warn('http: a forwarded address is not trusted; behind a proxy, set TRUST_PROXY=true')
    },
    first: () => first,
  }
}
