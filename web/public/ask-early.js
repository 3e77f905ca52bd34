// Asks for the session, the token and the first question of a screen while the application's scripts load. The server names
// this script in the page of a screen behind the sign-in (server/http/pages/pages.ts), and only where the browser has a
// session. web/session/early-responses.ts takes each response once, for the request that the application sends otherwise.
;(() => {
  const { question } = document.currentScript.dataset
  const responses = new Map()
  globalThis.earlyResponses = responses
  // A response is no older than this when it is used.
  setTimeout(() => responses.clear(), 30_000)

  // Resolves to the body. A response that cannot be read or has errors is dropped.
  const send = (key, path, init) => {
    const response = fetch(path, { ...init, signal: AbortSignal.timeout(30_000) })
    const body = response.then((answer) => answer.clone().json())
    const usable = body.then((content) => (content?.errors ? Promise.reject(content.errors) : response))
    usable.catch(() => undefined)
    responses.set(key, usable)
    return body
  }
  const readClaims = (token) => {
    const claims = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(claims))
  }
  // As web/session/token: the token of an earlier page, if it is not close to its expiry.
  const readToken = async () => {
    const name = 'apollo:default.token='
    const kept = document.cookie.split('; ').find((cookie) => cookie.startsWith(name))
    const token = kept?.slice(name.length)
    if (token && readClaims(token).exp > Date.now() / 1000 + 60) return token
    return (await send('/api/token', '/api/token')).id_token
  }

  const ask = async () => {
    const sessionPath = `/api/auth/session?${new URLSearchParams({ callbackUrl: location.pathname })}`
    const [session, token] = await Promise.all([send(sessionPath, sessionPath), readToken()])
    // The sign-in follows, and not the screen whose frame the server has drawn.
    if (!session?.user) document.getElementById('starting')?.remove()
    // An entry of the history may keep another question than the address has (web/ui/hooks/use-history-search.ts). Users of
    // institutions are led to their own screen, and may not ask what staff ask.
    if (!question || !token || history.state?.keptSearch) return
    if (!session?.user || session.user.role === 'institution') return
    const { hash, operationName, query, variables } = JSON.parse(question)
    const key = `${readClaims(token).sub} ${hash} ${JSON.stringify(variables)}`
    await send(key, '/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json,application/json;q=0.9',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        operationName,
        variables,
        query,
        extensions: { reportsUse: true, persistedQuery: { version: 1, sha256Hash: hash } },
      }),
    })
  }
  // What fails here, the application asks again itself, and shows the failure.
  ask().catch(() => undefined)
})()
