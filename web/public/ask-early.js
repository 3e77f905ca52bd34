// Asks for the session, the token and the first questions of a screen while the application's scripts load. The server names
// this script in the page of a screen behind the sign-in (server/http/pages/pages.ts), and only where the browser has a
// session. web/loading/early-responses.ts takes each response once, for the request that the application sends otherwise.
;(() => {
  const { questions } = document.currentScript.dataset
  const responses = new Map()
  globalThis.earlyResponses = responses
  // A response is no older than this when it is used.
  setTimeout(() => responses.clear(), 30_000)

  // Resolves to the body, or to nothing if it arrives in parts, which are read as they come. A response that cannot be read is
  // dropped.
  const send = (key, path, init) => {
    const response = fetch(path, { ...init, signal: AbortSignal.timeout(30_000) })
    const body = response.then((answer) =>
      answer.headers.get('content-type')?.startsWith('multipart/') ? undefined : answer.clone().json(),
    )
    const usable = body.then(() => response)
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

  // A question that its user may not ask would be recorded as a denied access. Users of institutions are led to their own
  // screen, which begins with the filters that they have kept.
  const mayAsk = ({ audience, anyFeature }, { role, features, inboxFilters }) =>
    (audience === 'all' || audience === role || (audience === 'staff' && role === 'admin')) &&
    (audience !== 'institution' || Object.keys(inboxFilters ?? {}).length === 0) &&
    (anyFeature.length === 0 || anyFeature.some((feature) => features.includes(feature)))
  const askQuestion = async ({ hash, operationName, query, features, ...question }, user, token) => {
    const variables = { ...question.variables }
    for (const [name, feature] of Object.entries(features)) variables[name] = user.features.includes(feature)
    // As Apollo: what the document defers arrives later, in the same response.
    const inParts = query.includes('@defer') ? 'multipart/mixed;deferSpec=20220824,' : ''
    await send(`${readClaims(token).sub} ${hash} ${JSON.stringify(variables)}`, '/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: `${inParts}application/graphql-response+json,application/json;q=0.9`,
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

  const ask = async () => {
    const sessionPath = `/api/auth/session?${new URLSearchParams({ callbackUrl: location.pathname })}`
    const [session, token] = await Promise.all([send(sessionPath, sessionPath), readToken()])
    // The sign-in follows, and not the screen whose frame the server has drawn.
    if (!session?.user) document.getElementById('starting')?.remove()
    // An entry of the history may keep another question than the address has (web/ui/hooks/use-history-search.ts).
    if (!session?.user || !token || history.state?.keptSearch) return
    // The token may be of another user, who has signed in since.
    if (readClaims(token).sub !== session.user.id) return
    await Promise.all(
      JSON.parse(questions).flatMap((question) =>
        mayAsk(question, session.user) ? [askQuestion(question, session.user, token)] : [],
      ),
    )
  }
  // What fails here, the application asks again itself, and shows the failure.
  ask().catch(() => undefined)
})()
