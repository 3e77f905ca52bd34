import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type GraphQLObjectType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { attachRealtime, isWebSocketUpgrade } from '../../server/http/realtime/realtime.ts'
import { JOBS } from '../../server/jobs.ts'
import { publish } from '../../server/platform/events.ts'
import { migrateJobs, startJobs } from '../../server/platform/jobs.ts'
import { schema } from '../../server/schema.ts'
import { FEATURES, type Feature } from '../../shared/access/features.ts'
import { connectAs } from '../databases.ts'
import { createTestServer, type TestServer } from '../test-server.ts'
import { ask, nameIds } from './ask.ts'
import { EMPTY_HERE, filledFields, selectInParts } from './read-fields.ts'
import { COLUMNS, ROWS, type Row } from './rows.ts'
import { TYPES } from './types.ts'
import { UNAUTHORIZED, type Watch, watch } from './watch.ts'
import { buildWorld, type Principal } from './world.ts'

let server: TestServer
let principals: Principal[]
/** The address of the websocket. */
let url: string
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { services } = server
  await migrateJobs(server.connection)
  const jobs = startJobs(connectAs(server.connection, 'staff'), services.log, JOBS)
  afterAll(() => jobs.stop())
  services.jobs = jobs
  principals = await buildWorld(server)
  const serverOptions = { shouldUpgradeCallback: isWebSocketUpgrade }
  const http = serve({ fetch: server.app.fetch, port: 0, serverOptions }) as Server
  const realtime = attachRealtime(http, services, schema)
  if (!http.listening) await once(http, 'listening')
  url = `ws://localhost:${(http.address() as AddressInfo).port}/graphql`
  afterAll(async () => {
    await realtime.stop()
    http.close()
  })
})

/** Asks all of the principals, one after the other where an answer changes something. */
async function askAll(name: string, row: Row, of = principals): Promise<Record<string, string>> {
  const cells: [string, string][] = []
  const askOne = async (principal: Principal) => {
    cells.push([principal.name, await ask(server, name, row, principal)])
  }
  if (row.undo) for (const principal of of) await askOne(principal)
  else await Promise.all(of.map(askOne))
  return Object.fromEntries(cells)
}

const rows = Object.entries(ROWS)
const requests = rows.filter(([name]) => !name.startsWith('Subscription.'))

// First, since the requests below raise the versions of uploads.
describe('a user of an institution', () => {
  async function read(
    who: string,
    typeName: string,
    root: string,
    thing: [keyof Principal['things'], string],
  ) {
    const principal = principals.find(({ name }) => name === who)!
    const type = schema.getType(typeName) as GraphQLObjectType
    const [kind, name] = thing
    const filled = new Set<string>()
    for (const part of selectInParts(type)) {
      const query = `query ($id: ID!) { ${root}(id: $id) ${part} }`
      const response = await server.app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...principal.headers.graphql },
        body: JSON.stringify({ query, variables: { id: principal.things[kind].get(name)![0] } }),
      })
      const { data, errors } = (await response.json()) as { data: Record<string, never>; errors?: unknown }
      expect(errors).toBeUndefined()
      for (const field of filledFields(type, data[root]!)) filled.add(field)
    }
    return filled
  }

  it.each([
    ['Patient', 'patient', ['patient', 'pA']],
    ['Upload', 'upload', ['upload', 'rel.A']],
    ['Institution', 'institution', ['institution', 'A']],
  ] as const)(
    'reads of %s the open fields, and staff the hidden ones too [6.4]',
    async (type, root, thing) => {
      const compared = (name: string) => {
        const row = TYPES[name.split('.')[0]!]!
        return 'open' in row && !EMPTY_HERE.has(name)
      }
      const listed = (of: string, list: 'open' | 'hidden') => {
        const row = TYPES[of]!
        return 'open' in row ? row[list].map((field) => `${of}.${field}`).filter(compared) : []
      }
      const byAdmin = await read('an administrator', type, root, [...thing])
      const byInstitution = await read('a user of A', type, root, [...thing])
      const reached = [...new Set([...byAdmin].map((name) => name.split('.')[0]!))]
      const openHere = reached.flatMap((of) => listed(of, 'open'))
      const hiddenHere = reached.flatMap((of) => listed(of, 'hidden'))
      expect([...byInstitution].filter(compared).sort()).toEqual(openHere.sort())
      expect([...byAdmin].filter(compared).sort()).toEqual([...openHere, ...hiddenHere].sort())
      // Nothing of a type that is for staff, whichever field it hangs on.
      const closed = [...byInstitution].filter((name) => 'scope' in TYPES[name.split('.')[0]!]!)
      expect(closed).toEqual([])
    },
  )
})

describe('the matrix', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    .filter((type): type is GraphQLObjectType => isObjectType(type))
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
  const METHODS = ['OPTIONS', 'POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']

  it('has a row for every root field of the schema, and no other [6.4]', () => {
    const fields = rows
      .map(([name]) => name.split(' ')[0]!)
      .filter((name) => name.includes('.') && !name.includes('/'))
    expect([...new Set(fields)].sort()).toEqual(roots.sort())
  })

  it('has a row for every route of the server and every method of tus, and no other [6.4]', () => {
    const isMiddleware = ({ method, path }: { method: string; path: string }, index: number) =>
      method === 'ALL' && (path === '/api/auth/*' || path === '/s/*' || (path === '/*' && index < 5))
    const routes = server.app.routes.flatMap((route, index) => {
      if (isMiddleware(route, index)) return []
      const isTus = route.method === 'ALL' && /^(\/api\/intake)?\/files/.test(route.path)
      return (isTus ? METHODS : [route.method]).map((method) => `${method} ${route.path}`)
    })
    const inMatrix = rows.map(([name]) => name).filter((name) => /^[A-Z]+ \//.test(name))
    expect(inMatrix.sort()).toEqual([...new Set(routes)].sort())
  })

  it('has every column for at least one principal', () => {
    expect([...new Set(principals.map(({ column }) => column))]).toEqual([...COLUMNS])
  })

  it.each(requests)('%s answers every principal as it says [6.4]', async (name, row) => {
    const expected = principals.map((principal) => [principal.name, row.cells[principal.column]])
    expect(await askAll(name, row)).toEqual(Object.fromEntries(expected))
  })
})

describe.each(FEATURES)('without %s on the site', (feature: Feature) => {
  const kept = JSON.stringify(FEATURES.filter((each) => each !== feature))
  beforeAll(async () => {
    await server.db.insertInto('site_setting').values({ key: 'features', value: kept }).execute()
    return async () => {
      await server.db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
  })

  it('every operation answers as the matrix says [3.2] [6.4]', async () => {
    const affected = principals.filter(({ name }) =>
      ['a recipient', 'a user of A', 'a registrar', 'a reviewer', 'an administrator'].includes(name),
    )
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [name, row] of requests) {
      const changed = row.without?.[feature]
      // Rows that no feature concerns and that take long were asked above: those of ids, and of the own account.
      if (!changed && (row.of || row.ownOrPublic)) continue
      found[name] = await askAll(name, row, affected)
      expected[name] = Object.fromEntries(
        affected.map((principal) => [
          principal.name,
          changed?.[principal.column] ?? row.cells[principal.column],
        ]),
      )
    }
    expect(found).toEqual(expected)
  })
})

const expectedOf = (name: string) =>
  Object.fromEntries(principals.map((principal) => [principal.name, ROWS[name]!.cells[principal.column]]))

it('siteChanged and uploadChanged announce to every principal what the matrix says [6.4]', async () => {
  const watches = principals.map((principal) => watch(url, principal))
  onTestFinished(() => {
    for (const { close } of watches) close()
  })
  const cellsOf = (read: (seen: Watch) => string) =>
    Object.fromEntries(
      watches.map((seen) => [seen.principal.name, seen.closed === UNAUTHORIZED ? '401' : read(seen)]),
    )
  const siteCells = async () => {
    await publish(server.db, { kind: 'site' })
    return cellsOf(({ site }) => (site.length > 0 ? 'ok' : 'nothing yet'))
  }
  await expect.poll(siteCells, { timeout: 15_000 }).toEqual(expectedOf('Subscription.siteChanged'))

  // Each reader handles its events in order: when those of the second round have come, all of the first have.
  const everything = new Set(principals.flatMap(({ things }) => [...things.upload.values()].flat()))
  for (const id of [...everything, ...everything])
    await publish(server.db, { kind: 'upload', id, patientId: null, institutionId: null })
  const expected = expectedOf('Subscription.uploadChanged')
  const countExpected = ({ name, things }: Principal) =>
    [...things.upload]
      .filter(([thing]) => expected[name]!.split(' ').includes(thing))
      .flatMap(([, ids]) => ids).length
  const haveAll = () =>
    watches.every(({ principal, uploads }) => uploads.length >= 2 * countExpected(principal))
  await expect.poll(haveAll, { timeout: 15_000 }).toBe(true)
  expect(cellsOf(({ uploads, principal }) => nameIds(uploads, principal))).toEqual(expected)
})
