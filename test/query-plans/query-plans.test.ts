import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateRows } from '../../db/generate.ts'
import { JOBS } from '../../server/jobs.ts'
import { migrateJobs, startJobs } from '../../server/platform/jobs.ts'
import { createLog } from '../../server/platform/log.ts'
import { schema } from '../../server/schema.ts'
import { connectAs } from '../databases.ts'
import { createTestServer, type TestServer } from '../test-server.ts'
import { listPlanCases, type PlanCase } from './query-plan-cases.ts'
import { findPlanFaults, type PlanNode } from './query-plan-faults.ts'
import {
  addTraces,
  describeCase,
  findBadHousekeepingPlans,
  findBadPlans,
  fixVisibility,
  listLargeTables,
} from './query-plans.ts'

/**
 * Enough for plans that are bad at a million patients to be bad here too (a third is enough), and for
 * frequent names.
 */
const PATIENTS = 11_000
const UPLOADS = 33_000

const atEnd: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of atEnd) await end()
})

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, (end) => atEnd.push(end))
  const { db, services, connection } = server
  await generateRows({ db, storage: services.storage, now: new Date(), patients: PATIENTS, uploads: UPLOADS })
  await addTraces(db, UPLOADS)
  await fixVisibility(db)
  await migrateJobs(connection)
  const jobs = startJobs(
    connectAs(connection, 'staff'),
    createLog('error', () => undefined),
    JOBS,
  )
  await jobs.started
  await jobs.stop()
})

describe('the plan of every list and search', () => {
  it('uses an index, scans no large table and sorts at most a few pages', async () => {
    const bad = await findBadPlans(server.connection)
    expect([...new Set(bad.map((each) => `${describeCase(each.case)}: ${each.fault.text}`))]).toEqual([])
  })

  it('uses an index for housekeeping after the start too', async () => {
    expect(await findBadHousekeepingPlans(server.connection)).toEqual([])
  })

  it('is checked with large tables', async () => {
    const large = await listLargeTables(server.db)
    expect(
      [
        'patient',
        'patient_name_pair',
        'referral',
        'upload',
        'file',
        'review',
        'upload_opening',
        'inbox_item',
        'audit_event',
        'message',
        'session',
        'file_fact',
        'file_reading',
      ].filter((table) => !large.has(table)),
    ).toEqual([])
  })

  it('is checked for every list of the schema, with every argument', async () => {
    const requested = listRequested(await listPlanCases(server.db))
    expect(listLists().filter((field) => !requested.has(field))).toEqual([])
    expect(listLists().length).toBeGreaterThan(80)
  })
})

describe('a search within a list', () => {
  /** Frequent and rare words: collected first, or searched in the list until a page is full. */
  const SEARCHES = ['a', 'an', 'maria', 'zbarcea', 'ion pop', 'an 10', '1', '1002', '01', 'nimeni']

  it.each(SEARCHES)(
    'finds all uploads whose patient or number matches “%s”, in the order of the list',
    async (search) => {
      const words = search.split(' ')
      const isLong = words.every((word) => word.length >= 3)
      const isText = sql`upload_words(title, referring_doctor) @@ ${words.map((word) => `${word}:*`).join(' & ')}::tsquery`
      const ends = (column: 'cnp' | 'phone') =>
        sql`exists (select from patient where id = patient_id and ${sql.ref(column)} like ${`%${search}`})`
      const isCode = sql`accession_code(accession_number) like ${`${search}%`}`
      const { rows } = await sql<{
        id: string
        institution_id: string
        state_since: Date
        is_phone: boolean
      }>`
      select id, institution_id, state_since, not coalesce(named or coded or cnp, false) as is_phone from (
      select *, (${sql.join(
        words.map((word) =>
          /\d/.test(word)
            ? sql`upload.number::text like ${`${word}%`}`
            : sql`exists (select from patient_name_pair pair where pair.patient_id = upload.patient_id
                and second_word = '' and first_word like ${`${word}%`})`,
        ),
        sql` and `,
      )} ${isLong && !/\d/.test(search) ? sql`or ${isText}` : sql``}) as named,
      ${/^\d{3,}$/.test(search) ? isCode : sql`false`} as coded,
      ${/^\d{4,}$/.test(search) ? ends('cnp') : sql`false`} as cnp,
      ${/^\d{4,}$/.test(search) ? ends('phone') : sql`false`} as phone
      from upload where state = 'released') each_one
      where named or coded or cnp or phone order by state_since desc, id desc`.execute(server.db)
      const { rows: own } = await sql<{ id: string }>`
      select institution_id as id from user_institution join app_user on app_user.id = user_id
      where email = 'institutia1@dosar.test'`.execute(server.db)

      const queue = await readAll('verificare@dosar.test', 'uploads(states: [released],', search)
      expect(queue).toEqual(rows.slice(0, queue.length).map(({ id }) => id))
      expect(queue.length).toBe(Math.min(rows.length, 300))
      const inbox = await readAll('institutia1@dosar.test', 'inbox(', search)
      // An institution does not see phones.
      const sent = rows.filter((row) => row.institution_id === own[0]!.id && !row.is_phone)
      expect(inbox).toEqual(sent.slice(0, 300).map(({ id }) => id))
    },
  )

  it('is tested with frequent and with rare words', async () => {
    const counts = await Promise.all(
      SEARCHES.slice(0, 4).map(async (word) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from patient_name_pair
          where second_prefix = '' and first_word like ${`${word}%`}`.execute(server.db)
        return rows[0]!.count
      }),
    )
    expect(counts[0]).toBeGreaterThan(2_000)
    expect(counts[2]).toBeLessThan(2_000)
    expect(counts[3]).toBeGreaterThan(0)
  })

  /** Returns the ids of the first three pages. */
  async function readAll(email: string, field: string, search: string): Promise<string[]> {
    const client = await server.signIn(email)
    const ids: string[] = []
    let after: string | null = null
    for (let page = 0; page < 3; page += 1) {
      const { data } = await client.graphql(
        `query ($search: String, $after: String) {
          list: ${field} search: $search, after: $after, first: 100) { nodes { id } endCursor } }`,
        { search, after },
      )
      ids.push(...data.list.nodes.map(({ id }: { id: string }) => id))
      after = data.list.endCursor
      if (after === null) break
    }
    return ids
  }
})

/** Returns root fields and lists of objects as `Type.field`, and their arguments as `Type.field(argument)`. */
function listLists(): string[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  return types
    .filter(({ name }) => !name.startsWith('__') && name !== 'Mutation' && name !== 'Subscription')
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(
          (field) =>
            type === schema.getQueryType() ||
            (isListType(getNullableType(field.type)) && isObjectType(getNamedType(field.type))) ||
            getNamedType(field.type).name.endsWith('Page'),
        )
        .flatMap((field) => [
          `${type.name}.${field.name}`,
          ...field.args.map((each) => `${type.name}.${field.name}(${each.name})`),
        ]),
    )
}

function listRequested(cases: readonly PlanCase[]): Set<string> {
  const requested = new Set<string>()
  for (const { query, variables = {} } of cases) {
    const info = new TypeInfo(schema)
    visit(
      parse(query),
      visitWithTypeInfo(info, {
        enter: (node) => {
          if (node.kind !== 'Field') return
          const { name, arguments: given = [] } = node
          const field = `${info.getParentType()?.name}.${name.value}`
          requested.add(field)
          for (const { name: argument, value } of given)
            if (value.kind === 'Variable' && variables[value.name.value] != null)
              requested.add(`${field}(${argument.value})`)
        },
      }),
    )
  }
  return requested
}

describe('findPlanFaults', () => {
  const node = (type: string, rows: number, ...plans: PlanNode[]): PlanNode => ({
    'Node Type': type,
    'Plan Rows': rows,
    'Total Cost': 1,
    Plans: plans,
  })
  const kindsOf = (plan: PlanNode) =>
    findPlanFaults(plan, (table) => table === 'patient').map(({ kind }) => kind)

  it('has a fault where it scans a large table, also for one page', () => {
    const scan = { ...node('Seq Scan', 10), 'Relation Name': 'patient' }
    expect(kindsOf(node('Limit', 10, scan))).toEqual(['scan'])
    expect(kindsOf(node('Limit', 10, { ...scan, 'Relation Name': 'category' }))).toEqual([])
  })

  it('has a fault where it sorts more than it returns', () => {
    expect(kindsOf(node('Limit', 51, node('Sort', 400, node('Index Scan', 400))))).toEqual(['sort'])
    expect(kindsOf(node('Limit', 51, node('Sort', 102, node('Index Scan', 102))))).toEqual([])
  })

  it('has no fault where a limit ends the reading, and has one where a node reads all rows first', () => {
    const walk = node('Index Scan', 1_000_000)
    expect(kindsOf(node('Limit', 51, walk))).toEqual([])
    expect(kindsOf(node('Limit', 51, node('Nested Loop', 1_000_000, walk, node('Index Scan', 1))))).toEqual(
      [],
    )
    expect(kindsOf(node('Limit', 51, node('Hash Join', 1_000, node('Index Scan', 1_000), walk)))).toEqual([
      'reads',
    ])
    expect(kindsOf(node('Aggregate', 1, walk))).toEqual(['reads'])
    const beside = { ...node('Index Scan', 100), 'Parent Relationship': 'SubPlan' }
    expect(kindsOf(node('Index Scan', 50, beside))).toEqual(['reads'])
  })
})
