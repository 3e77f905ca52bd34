declare global {
  /** The responses to what `public/ask-early.js` has asked for, by path, or by user, document and variables. */
  var earlyResponses: Map<string, Promise<Response>> | undefined
}

/** Whether the page asked for data before its scripts had loaded. */
export const isAskedEarly = (): boolean => globalThis.earlyResponses !== undefined

/**
 * Returns the response to a request that the page sent before its scripts had loaded, once. Sends the request if there is
 * none or it has failed.
 */
export function takeEarlyResponse(key: string, send: () => Promise<Response>): Promise<Response> {
  const { earlyResponses } = globalThis
  const early = earlyResponses?.get(key)
  earlyResponses?.delete(key)
  return early ? early.then((response) => (response.ok ? response : send()), send) : send()
}
