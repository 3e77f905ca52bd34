import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { ServerError, ServerParseError } from '@apollo/client/errors'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { print } from '@apollo/client/utilities'
import { errorOf } from '../../shared/errors.ts'
import { counted } from '../../shared/romania/romanian.ts'
import { createTestClient } from '../../test/client.ts'
import { errorCode, errorMessage, toClientError } from '../../web/api/client-error.ts'
import { createGraphqlLink } from '../../web/api/graphql-link.ts'
import { ACCOUNT_LINK } from '../../web/features/sign-in/account-link.queries.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { fetchPublicKey, issueApiKey, signInClient } from '../harness/client.ts'
import { expect, test } from '../harness/test.ts'

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'
/** The name of the demo organisation. */
const SITE = 'Centrul de Diagnostic Demo'
const PARTS = 'multipart/mixed;deferSpec=20220824, application/json'

test.describe('a request', () => {
  const TWO = `
    query One { me { email } }
    query Other($first: Int) { patients(first: $first) { nodes { id } endCursor } }
  `

  test('is JSON with operationName, variables, query and extensions, and gets JSON [7.8]', async ({
    product,
  }) => {
    const outsider = await signInClient(product.url, REVIEWER)
    const runQuery = (body: object) =>
      outsider.postGraphql({ query: TWO, extensions: { of: 'a client' }, ...body })
    const one = await runQuery({ operationName: 'One' })
    expect(one.headers.get('content-type')).toBe('application/json')
    expect(await one.json()).toEqual({ data: { me: { email: REVIEWER } } })
    const other = await (await runQuery({ operationName: 'Other', variables: { first: 2 } })).json()
    expect(other.data.patients.nodes).toHaveLength(2)
    for (const body of [
      {},
      { operationName: 'Neither' },
      { operationName: 'Other', variables: { first: 'two' } },
    ]) {
      const { data = null, errors } = await (await runQuery(body)).json()
      expect([data, errors[0].extensions.code]).toEqual([null, 'BAD_USER_INPUT'])
    }
  })

  test('with Authorization is the user’s, with x-api-key the public client’s, and never both [7.8] [6.5]', async ({
    product: { url },
  }) => {
    const outsider = await signInClient(url, REVIEWER)
    const authorization = await outsider.authorization()
    const key = await issueApiKey(url)
    const runQuery = async (query: string, headers: Record<string, string>) => {
      const response = await outsider.postGraphql({ query }, headers)
      const { data = null, errors } = await response.json()
      return [response.status, errors?.[0].extensions.code ?? data]
    }
    const me = '{ me { email } }'
    const site = '{ publicSite { name } }'
    expect(await runQuery(me, { authorization })).toEqual([200, { me: { email: REVIEWER } }])
    expect(await runQuery(site, { 'x-api-key': key })).toEqual([200, { publicSite: { name: SITE } }])
    expect(await runQuery(me, { authorization, 'x-api-key': 'dk_none' })).toEqual([
      200,
      { me: { email: REVIEWER } },
    ])
    // Anything else, also the session cookie that this jar sends, is no identity.
    for (const headers of [
      {},
      { 'x-api-key': 'dk_none' },
      { 'x-api-key': '' },
      { authorization: 'Bearer none', 'x-api-key': key },
      { authorization: authorization.slice(0, -4), 'x-api-key': key },
      { cookie: `apollo:default.token=${authorization.slice(7)}` },
    ] as Record<string, string>[]) {
      expect(await runQuery(me, headers)).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  test('of the public client reads the public settings and no personal data [6.4] [6.5]', async ({
    product: { url },
  }) => {
    const keys = [await fetchPublicKey(url), await issueApiKey(url)]
    const outsider = createTestClient(url)
    for (const query of [
      '{ me { id } }',
      '{ patients { nodes { id } } }',
      '{ uploads { nodes { id } } }',
      '{ inbox { nodes { id } } }',
      '{ getCategories }',
      '{ search(query: "pop") { patients { id } } }',
      '{ auditEvents { nodes { id } } }',
      '{ publicSite { name } users { nodes { id } } }',
      `mutation { withdrawUpload(id: "${UNKNOWN_ID}") { id } }`,
      'mutation { saveCategories(input: "[]") }',
    ]) {
      for (const key of keys) {
        const response = await outsider.postGraphql({ query }, { 'x-api-key': key })
        const { data = null, errors } = await response.json()
        expect([data, errors[0].extensions.code], query).toEqual([null, 'FORBIDDEN'])
      }
    }
  })

  test('of the pages has operationName, variables, query, and a hash in extensions; a known hash may be sent alone [7.8]', async ({
    product,
    open,
  }) => {
    const page = await open(REVIEWER)
    const sent = page.waitForRequest('**/graphql')
    await page.goto('/patients')
    const { extensions, operationName, variables, query } = (await sent).postDataJSON()
    expect(query).toMatch(new RegExp(`^query ${operationName}\\b`))
    expect(variables).toBeInstanceOf(Object)
    expect(extensions).toEqual({
      reportsUse: true,
      persistedQuery: { version: 1, sha256Hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const outsider = await signInClient(product.url, REVIEWER)
    const known = await (await outsider.postGraphql({ operationName, variables, extensions })).json()
    expect([Object.keys(known.data).length > 0, known.errors]).toEqual([true, undefined])
    const sha256Hash = 'a'.repeat(64)
    const unknown = await outsider.postGraphql({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
    expect([unknown.status, await unknown.json()]).toEqual([
      200,
      { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    ])
  })

  test('above the limits is rejected before it runs', async ({ product }) => {
    const outsider = await signInClient(product.url, REVIEWER)
    const aliases = Array.from({ length: 61 }, (_, place) => `a${place}: name`).join(' ')
    for (const query of [
      `{ me { ${aliases} } }`,
      `{ ${Array.from({ length: 11 }, (_, place) => `a${place}: me { id }`).join(' ')} }`,
      '{ patients(first: 100) { nodes { uploads(first: 100) { nodes { files { id } } } } } }',
      `mutation { a: withdrawUpload(id: "${UNKNOWN_ID}") { id } b: withdrawUpload(id: "${UNKNOWN_ID}") { id } }`,
      `{ me { ${'id '.repeat(2_001)} } }`,
    ]) {
      const response = await outsider.postGraphql({ query })
      const { errors } = await response.json()
      expect([response.status, errors[0].extensions.code], query.slice(0, 80)).toEqual([
        400,
        'BAD_USER_INPUT',
      ])
    }
  })
})

test.describe('an incremental response', () => {
  const QUERY = 'query Later { me { email ... @defer(label: "role") { role } } }'

  test('is multipart/mixed for clients that accept it, and one JSON for all others [7.8]', async ({
    product,
  }) => {
    const outsider = await signInClient(product.url, REVIEWER)
    const authorization = await outsider.authorization()
    const response = await outsider.postGraphql({ query: QUERY }, { authorization, accept: PARTS })
    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"; deferSpec=20220824')
    const sections = (await response.text()).split('\r\n---')
    expect([sections[0], sections.at(-1)]).toEqual(['', '--\r\n'])
    const parts = sections.slice(1, -1).map((section) => {
      const [head, body] = section.split('\r\n\r\n')
      expect(head).toBe('\r\ncontent-type: application/json; charset=utf-8')
      return JSON.parse(body!)
    })
    expect(parts).toEqual([
      { data: { me: { email: REVIEWER } }, hasNext: true },
      { incremental: [{ data: { role: 'staff' }, path: ['me'], label: 'role' }], hasNext: false },
    ])
    for (const accept of ['application/json', 'multipart/mixed', '*/*']) {
      const whole = await outsider.postGraphql({ query: QUERY }, { authorization, accept })
      expect(await whole.json()).toEqual({ data: { me: { email: REVIEWER, role: 'staff' } } })
    }
  })

  test('carries the state of the server: counted values come later [7.8]', async ({
    product: { db },
    open,
  }) => {
    const { count } = await db
      .selectFrom('file')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    const page = await open(ADMIN)
    const answered = page.waitForResponse(
      (response) => response.headers()['content-type']?.startsWith('multipart/mixed') ?? false,
    )
    await page.goto('/admin?tab=sistem')
    expect((await answered).request().headers().accept).toMatch(/^multipart\/mixed;deferSpec=20220824/)
    await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible()
    await expect(page.getByText(counted(count, 'fișier', 'fișiere'))).toBeVisible()
  })

  test('whose last result fails is shown without it [7.8]', async ({ open }) => {
    const page = await open(ADMIN)
    await page.route('**/graphql', async (route) => {
      const { operationName } = route.request().postDataJSON()
      if (operationName !== 'System') return route.continue()
      const response = await route.fetch()
      const parts = (await response.text()).split('\r\n---')
      const failed = {
        data: null,
        path: ['system'],
        errors: [{ message: 'away', path: ['system', 'storage'] }],
      }
      const later = JSON.stringify({ incremental: [failed], hasNext: false })
      const head = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n'
      await route.fulfill({
        response,
        body: `\r\n---${parts[1]}\r\n---${head}${later}\r\n-----\r\n`,
      })
    })
    await page.goto('/admin?tab=sistem')
    await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible()
    await expect(page.getByText('nu s-a putut citi')).toHaveCount(2)
    await expect(page.getByRole('alert')).toContainText('Nu s-a citit tot')
  })

  test('stays visible where a refetch fails or ends between its results [7.8]', async ({
    open,
    expectError,
  }) => {
    expectError(/graphql/)
    const page = await open(ADMIN)
    await page.goto('/admin?tab=sistem')
    const again = page.getByRole('button', { name: 'Citește din nou' })
    const files = page.getByText(/^[\d.]+ (de )?fișiere?, /)
    await expect(files).toBeVisible()
    await page.route('**/graphql', (route) => route.abort())
    await again.click()
    await expect(page.getByRole('alert')).toContainText('Nu s-a citit tot')
    await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible()
    await expect(files).toBeVisible()

    await page.unroute('**/graphql')
    await again.click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch()
      const parts = (await response.text()).split('\r\n---')
      await route.fulfill({ response, body: `\r\n---${parts[1]}\r\n---` })
    })
    await again.click()
    await expect(page.getByRole('alert')).toContainText('Nu s-a citit tot')
    await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible()
    await expect(files).toBeVisible()
  })
})

test.describe('Apollo Client with its defaults', () => {
  const connect = (url: string, headers: Record<string, string>) =>
    new ApolloClient({
      link: new HttpLink({ uri: `${url}/graphql`, headers }),
      cache: new InMemoryCache(),
      incrementalHandler: new Defer20220824Handler(),
    })

  test('in the authenticated mode reads with the id_token, a deferred fragment after the rest [6.5] [7.8]', async ({
    product: { url },
  }) => {
    const outsider = await signInClient(url, REVIEWER)
    const client = connect(url, { authorization: await outsider.authorization() })
    const query = gql`
      query Later {
        me {
          id
          email
          ... @defer {
            role
          }
        }
      }
    `
    const states: unknown[] = []
    await new Promise<void>((resolve, reject) =>
      client
        .watchQuery({ query, notifyOnNetworkStatusChange: true })
        .subscribe(({ data, dataState, error }) => {
          if (error) reject(error)
          if (data) states.push([dataState, data])
          if (dataState === 'complete') resolve()
        }),
    )
    const me = { __typename: 'Me', id: expect.any(String), email: REVIEWER }
    expect(states).toEqual([
      ['streaming', { me }],
      ['complete', { me: { ...me, role: 'staff' } }],
    ])
  })

  test('in the public mode reads with the key of the cookie apollo:public.token [6.5] [9.5]', async ({
    product: { url },
  }) => {
    const client = connect(url, { 'x-api-key': await fetchPublicKey(url) })
    const { data } = await client.query({ query: ACCOUNT_LINK, variables: { token: 'x' } })
    expect(data).toEqual({ accountLink: null })
    const refused = await client
      .query({ query: gql`query Mine { me { id } }` })
      .catch((error: unknown) => error)
    expect(ServerError.is(refused) && refused.statusCode).toBe(400)
    expect(errorMessage(refused)).toBe('Pagina nu mai este actuală și trebuie reîncărcată.')
  })
})

/** Starts a proxy that replaces the body of each response, or with a number its status. */
async function startRewritingProxy(url: string, rewrite: (body: string) => string, status?: number) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization = '' } = request.headers
    const original = await fetch(`${url}${request.url}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    })
    response.writeHead(status ?? original.status, { 'content-type': 'application/json' })
    response.end(rewrite(await original.text()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.describe('an error in the product’s own clients', () => {
  const PATIENT = gql`
    query Patient($id: ID!) {
      patient(id: $id) {
        id
      }
    }
  `
  const runQuery = async (uri: string, authorization: string, id: string) => {
    let unauthorized = 0
    const client = new ApolloClient({
      link: createGraphqlLink({
        uri: `${uri}/graphql`,
        identity: () => ({ authorization }),
        onUnauthorized: () => (unauthorized += 1),
      }),
      cache: new InMemoryCache(),
    })
    const error = await client.query({ query: PATIENT, variables: { id } }).catch((thrown: unknown) => thrown)
    return { error: error as Error, shape: toClientError(error), unauthorized }
  }
  const NONE = { graphQLErrors: [], networkError: null, protocolErrors: [], clientErrors: [] }

  test('an expected error has its code and its Romanian sentence [8.13]', async ({ product: { url } }) => {
    const authorization = await (await signInClient(url, REVIEWER)).authorization()
    const { error, shape, unauthorized } = await runQuery(url, authorization, UNKNOWN_ID)
    expect(shape).toEqual({
      ...NONE,
      graphQLErrors: [expect.objectContaining({ message: errorOf('NOT_FOUND').message, path: ['patient'] })],
    })
    expect([errorCode(error), errorMessage(error), unauthorized]).toEqual([
      'NOT_FOUND',
      errorOf('NOT_FOUND').message,
      0,
    ])
  })

  test('a status of 300 or more is named: 401, 413 and those of a proxy [8.7] [8.13] [4.3]', async ({
    product: { url },
  }) => {
    const authorization = await (await signInClient(url, REVIEWER)).authorization()
    const expectStatus = (response: Awaited<ReturnType<typeof runQuery>>, status: number) => {
      const message = `Response not successful: Received status code ${status}`
      expect([response.error.message, ServerError.is(response.error)]).toEqual([message, true])
      expect(response.shape).toEqual({ ...NONE, networkError: response.error })
      expect(response.unauthorized).toBe(status === 401 ? 1 : 0)
      expect(errorMessage(response.error)).toMatch(/nouă încercare|nouă autentificare|trebuie scurtat/)
    }
    expectStatus(await runQuery(url, 'Bearer none', UNKNOWN_ID), 401)
    expectStatus(await runQuery(url, authorization, 'x'.repeat(300_000)), 413)
    for (const status of [300, 403, 500, 502, 503]) {
      const proxy = await startRewritingProxy(url, (body) => body, status)
      try {
        expectStatus(await runQuery(proxy.url, authorization, UNKNOWN_ID), status)
      } finally {
        proxy.close()
      }
    }
  })

  for (const [what, rewrite, matches] of [
    [
      'with neither data nor errors is a missing response [8.8]',
      () => '{}',
      (error: Error) => error.message === "Server response was missing for query 'Patient'.",
    ],
    [
      'cut in the middle is a server parse error [8.9]',
      (body: string) => body.slice(0, body.length / 2),
      ServerParseError.is,
    ],
    ['that is empty is a server parse error [8.9]', () => '', ServerParseError.is],
    ['that is a page is a server parse error [8.9]', () => '<html></html>', ServerParseError.is],
  ] as const) {
    test(`a body ${what} [8.13]`, async ({ product: { url } }) => {
      const authorization = await (await signInClient(url, REVIEWER)).authorization()
      const proxy = await startRewritingProxy(url, rewrite)
      try {
        const { error, shape, unauthorized } = await runQuery(proxy.url, authorization, UNKNOWN_ID)
        expect(matches(error), `${error.name}: ${error.message}`).toBe(true)
        expect(shape).toEqual({ ...NONE, networkError: error })
        expect(unauthorized).toBe(0)
      } finally {
        proxy.close()
      }
    })
  }

  test('an unreachable server is a network error [8.13]', async ({ product: { url } }) => {
    const proxy = await startRewritingProxy(url, (body) => body)
    proxy.close()
    const { error, shape } = await runQuery(proxy.url, '', UNKNOWN_ID)
    expect(shape).toEqual({ ...NONE, networkError: error })
    expect(errorMessage(error)).toBe('Serverul nu a răspuns. Poate lipsi conexiunea la rețea.')
  })

  test('the server rejects unreadable requests with 400, 413 and 415 [8.7]', async ({ product: { url } }) => {
    const outsider = await signInClient(url, REGISTRAR)
    const headers = { authorization: await outsider.authorization() }
    const query = print(gql`query Me { me { id } }`)
    for (const [status, body, more] of [
      [400, '{"query":', {}],
      [400, '{}', {}],
      [400, { query: '{ nothing }' }, {}],
      [413, { query, variables: { long: 'x'.repeat(256 * 1024) } }, {}],
      [415, { query }, { 'content-type': 'text/plain' }],
      [415, { query }, { 'content-encoding': 'gzip' }],
    ] as [number, unknown, Record<string, string>][]) {
      const response = await outsider.postGraphql(body, { ...headers, ...more })
      const { errors } = await response.json()
      expect([response.status, errors[0].extensions.code]).toEqual([status, 'BAD_USER_INPUT'])
    }
  })
})

test('no GraphQL operation exceeds the role: an institution cannot use the operations of staff [6.4]', async ({
  product: { url },
}) => {
  const outsider = await signInClient(url, INSTITUTION)
  for (const [query, code] of [
    ['{ patients { nodes { id } } }', null],
    ['{ uploads { nodes { id } } }', 'FORBIDDEN'],
    ['{ users { nodes { id } } }', 'FORBIDDEN'],
    ['{ auditEvents { nodes { id } } }', 'FORBIDDEN'],
    ['{ dashboard { waiting { count } } }', 'FORBIDDEN'],
    ['{ apiKeys { id } }', 'FORBIDDEN'],
    ['mutation { saveCategories(input: "[]") }', 'FORBIDDEN'],
    ['mutation { sendTestMessage { id } }', 'FORBIDDEN'],
  ] as const) {
    const { errors } = await (await outsider.postGraphql({ query })).json()
    expect(errors?.[0].extensions.code ?? null, query).toBe(code)
  }
})
