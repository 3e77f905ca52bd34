import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import type { ChainFault } from '../../../shared/audit/chain-faults.ts'
import { runSql } from '../../../test/databases.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { deriveChainKey } from '../../platform/crypto/keys.ts'
import { appendToChain } from './append-to-chain.ts'
import { type AuditRecord, CHAIN_START, canonicalEntry, chainHash } from './chain-hash.ts'
import { recordAudit } from './record-audit.ts'
import { startChainWriter } from './start-chain-writer.ts'
import { writeCheckpoint } from './write-checkpoint.ts'

const contextOf = ({ services }: TestServer) => createSystemContext(services)

async function write(server: TestServer, count: number): Promise<void> {
  const ctx = contextOf(server)
  for (let each = 0; each < count; each += 1) {
    await recordAudit(ctx, { action: 'patient.update', changes: { phone: { from: '', to: String(each) } } })
  }
}

/** Runs statements as an owner of the database, without triggers and constraints. */
const tamper = (server: TestServer, statements: string) =>
  runSql(server.connection, `set session_replication_role = replica; ${statements}`)

/** Verifies the chain by the job and returns the result. */
async function verify(server: TestServer): Promise<{ checked: number; faults: ChainFault[] }> {
  await server.services.jobs.enqueue(server.db, 'verify-chain', { askedBy: null })
  await server.runJobs()
  const { checked, faults } = await server.db
    .selectFrom('audit_verification')
    .select(['checked', 'faults'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { checked, faults: faults as unknown as ChainFault[] }
}

const checkpointFile = ({ services }: TestServer) => join(services.config.dataDir, 'audit-anchors.jsonl')

async function appendEntries(server: TestServer, count: number): Promise<TestServer> {
  await write(server, count)
  await appendToChain(contextOf(server))
  await writeCheckpoint(contextOf(server))
  return server
}

const ENTRY_COUNT = 12
const AUDIT_TABLES = ['audit_event', 'audit_seal', 'audit_unsealed', 'audit_verification']
let shared: TestServer
/** Statements that restore the audit log with its chain, and the content of the checkpoint file. */
let restore: string
let checkpoints: string

beforeAll(async () => {
  shared = await appendEntries(await createTestServer({}, afterAll), ENTRY_COUNT)
  const statements = []
  for (const table of AUDIT_TABLES) {
    const { rows } = await sql<{
      json: string
    }>`select jsonb_agg(to_jsonb(t))::text as json from ${sql.table(table)} t`.execute(shared.db)
    statements.push(
      `delete from ${table}`,
      `insert into ${table} overriding system value
       select * from jsonb_populate_recordset(null::${table}, ${pg.escapeLiteral(rows[0]!.json ?? '[]')})`,
    )
  }
  restore = `${statements.join(';')}; select setval('audit_event_id_seq', ${ENTRY_COUNT})`
  checkpoints = await readFile(checkpointFile(shared), 'utf8')
})

/**
 * Returns the shared server, restored to ENTRY_COUNT chained entries, numbered from 1, and one checkpoint.
 */
async function createChained(): Promise<TestServer> {
  await tamper(shared, restore)
  await writeFile(checkpointFile(shared), checkpoints)
  shared.logged.length = 0
  return shared
}

const fault = (kind: ChainFault['kind'], entryId: number | string | null, over: Partial<ChainFault> = {}) =>
  expect.objectContaining({ kind, entryId: entryId === null ? null : String(entryId), ...over })

describe('the chain of the audit log', () => {
  it('takes thousands of entries at once although the statistics say that none ever wait', async () => {
    const server = await createTestServer()
    const append = async () => {
      await sql`insert into audit_event (actor_name, origin, action, outcome, request_id)
        select '', 'job', 'patient.list', 'ok', '' from generate_series(1, 5000)`.execute(server.db)
      return appendToChain(contextOf(server))
    }
    await append()
    await sql`analyze audit_event, audit_seal, audit_unsealed`.execute(server.db)
    // Within the time of a statement.
    expect(await append()).toBe(5_000)
    expect((await verify(server)).faults).toEqual([])
  })

  it('contains every entry once with concurrent writers and several servers that append [2.9]', async () => {
    const server = await createTestServer()
    const chainWriters = Array.from({ length: 3 }, () =>
      startChainWriter(createSystemContext(server.services)),
    )
    const writers = Array.from({ length: 20 }, () => write(server, 25))
    await Promise.all([...writers, ...Array.from({ length: 10 }, () => appendToChain(contextOf(server)))])
    await Promise.all(chainWriters.map(({ stop }) => stop()))
    await appendToChain(contextOf(server))
    const { rows, first, last, events } = await server.db
      .selectFrom('audit_seal')
      .select((eb) => [
        eb.fn.countAll<number>().as('rows'),
        eb.fn.min('position').as('first'),
        eb.fn.max('position').as('last'),
        eb.fn.count<number>('event_id').distinct().as('events'),
      ])
      .executeTakeFirstOrThrow()
    expect({ rows, first, last, events }).toEqual({ rows: 500, first: 1, last: 500, events: 500 })
    expect(await verify(server)).toEqual({ checked: 500, faults: [] })
  })

  it('is intact in repeated verifications, each of which adds an entry', async () => {
    const server = await appendEntries(await createTestServer(), 3)
    expect(await verify(server)).toEqual({ checked: 3, faults: [] })
    expect(await verify(server)).toEqual({ checked: 4, faults: [] })
    expect(server.logged.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([])
  })

  it('hashes an entry to the same hash in every version', () => {
    const entry: AuditRecord = {
      id: '7',
      at: new Date('2026-08-05T10:11:12.345Z'),
      actor_id: null,
      actor_name: '',
      role: null,
      origin: 'web',
      action: 'patient.update',
      subject_type: 'patient',
      subject_id: '01900000-0000-7000-8000-000000000001',
      subject_ids: null,
      patient_id: null,
      outcome: 'ok',
      changes: '{"a": {"to": 12345678901234567890}}',
      ip: '',
      user_agent: null,
      request_id: 'r',
    }
    expect(canonicalEntry(entry)).toBe(
      '["7","2026-08-05T10:11:12.345Z",null,"",null,"web","patient.update","patient",' +
        '"01900000-0000-7000-8000-000000000001",null,null,"ok",' +
        '"{\\"a\\": {\\"to\\": 12345678901234567890}}","",null,"r"]',
    )
    expect(
      chainHash(deriveChainKey(Buffer.alloc(48, 1)), Buffer.alloc(32), 1, canonicalEntry(entry)).toString(
        'hex',
      ),
    ).toMatchInlineSnapshot(`"17d15c8f6f92faa98dd8d40ae3383b5b5fce27437c34767eb09ee3d0537665ae"`)
  })

  it('gives two different entries different canonical forms', () => {
    const text = fc.option(fc.string({ unit: 'binary' }))
    const entry = fc.record({
      actor_id: text,
      actor_name: fc.string(),
      role: text,
      ip: text,
      subject_ids: fc.option(fc.array(fc.string())),
      changes: fc.option(fc.json()),
    })
    fc.assert(
      fc.property(entry, entry, (one, other) => {
        const same = canonicalEntry(one as never) === canonicalEntry(other as never)
        expect(same).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})

/** Changes the author of one entry and rebuilds the whole chain with this key. */
async function rewrite(server: TestServer, key: TestServer['services']['chainKey']): Promise<void> {
  await tamper(server, `update audit_event set actor_name = 'Altcineva' where id = 5`)
  const { rows } = await sql<AuditRecord>`
    select *, id::text as id, changes::text as changes from audit_event order by audit_event.id`.execute(
    server.db,
  )
  let hash: Buffer = CHAIN_START
  const updates = rows.map((entry, index) => {
    hash = chainHash(key, hash, index + 1, canonicalEntry(entry))
    return `update audit_seal set hash = '\\x${hash.toString('hex')}' where position = ${index + 1};`
  })
  await tamper(server, updates.join(''))
}

/** Returns SQL that inserts an entry not written by the product. */
const insertEntrySql = ({
  id,
  at = 'now()',
  changes = 'null',
}: {
  id: string
  at?: string
  changes?: string
}) =>
  `insert into audit_event (id, at, actor_name, origin, action, outcome, request_id, changes) overriding system value
   values (${id}, ${at}, 'Fals', 'web', 'patient.read', 'ok', 'r', ${changes})`

describe('an attacker with all rights on the database', () => {
  it.each(['actor_name', 'role', 'origin', 'action', 'subject_type', 'ip', 'user_agent', 'request_id'])(
    'changes %s of an entry: the verification names the entry [2.9]',
    async (column) => {
      const server = await createChained()
      await tamper(server, `update audit_event set ${column} = coalesce(${column}, '') || 'x' where id = 5`)
      expect((await verify(server)).faults).toEqual([fault('changed', 5)])
    },
  )

  it.each([
    ['at', `at + interval '1 millisecond'`],
    ['at', `'infinity'`],
    ['actor_id', 'gen_random_uuid()'],
    ['subject_id', 'gen_random_uuid()'],
    ['subject_ids', `'{}'`],
    ['patient_id', 'gen_random_uuid()'],
    ['outcome', `'failed'`],
    ['changes', 'null'],
    ['changes', `jsonb_set(changes, '{phone,to}', '"9"')`],
  ])('changes %s to %s: the verification names the entry [2.9]', async (column, value) => {
    const server = await createChained()
    await tamper(server, `update audit_event set ${column} = ${value} where id = 5`)
    expect((await verify(server)).faults).toEqual([fault('changed', 5)])
    expect(server.logged.join('')).toMatch(
      /"level":"error","event":"audit chain: fault","kind":"changed","entry":"5"/,
    )
  })

  const CASES: [string, string, ChainFault[]][] = [
    [
      'changes three entries',
      `update audit_event set action = 'x' where id in (1, 6, 12)`,
      [fault('changed', 1), fault('changed', 6), fault('changed', 12)],
    ],
    ['deletes an entry', 'delete from audit_event where id = 5', [fault('deleted', 5)]],
    [
      'deletes the first and the last entry',
      'delete from audit_event where id in (1, 12)',
      [fault('deleted', 1), fault('deleted', 12)],
    ],
    [
      'deletes an entry and its link',
      'delete from audit_event where id = 5; delete from audit_seal where event_id = 5',
      [fault('missing', 6, { count: 1 })],
    ],
    [
      'deletes the first three entries with their links',
      'delete from audit_event where id < 4; delete from audit_seal where event_id < 4',
      [fault('missing', 4, { count: 3 })],
    ],
    [
      'deletes two entries and renumbers the rest',
      `delete from audit_event where id in (5, 6); delete from audit_seal where event_id in (5, 6);
       update audit_seal set position = position - 2 + 1000 where position > 6;
       update audit_seal set position = position - 1000 where position > 1000`,
      [fault('missing', 7, { count: 2 }), fault('cut', 12, { count: 2 })],
    ],
    [
      'deletes only a link',
      'delete from audit_seal where event_id = 5',
      [fault('missing', 6), fault('inserted', 5)],
    ],
    [
      'deletes an entry that is queued for the chain',
      `insert into audit_unsealed values (99)`,
      [fault('deleted', 99)],
    ],
    [
      'swaps the contents of two entries',
      `update audit_event set action = 'x', changes = '{}' where id = 5;
       update audit_event set changes = '{"phone": {"from": "", "to": "4"}}' where id = 8`,
      [fault('changed', 5), fault('changed', 8)],
    ],
    [
      'swaps two entries between their links',
      `update audit_seal set event_id = -event_id where event_id in (5, 8);
       update audit_seal set event_id = 13 + event_id where event_id < 0`,
      [fault('reordered', 8), fault('reordered', 5)],
    ],
    [
      'swaps two links with their entries',
      `update audit_seal set position = 1000 + position where position in (5, 8);
       update audit_seal set position = 1013 - position where position > 1000`,
      [fault('reordered', 8, { position: 5 }), fault('reordered', 5, { position: 8 })],
    ],
    [
      'inserts an entry',
      `insert into audit_event (actor_name, origin, action, outcome, request_id) values ('', 'web', 'x', 'ok', 'r')`,
      [fault('inserted', 13)],
    ],
    [
      'inserts an entry with a link in the middle',
      `insert into audit_event (actor_name, origin, action, outcome, request_id) values ('', 'web', 'x', 'ok', 'r');
       update audit_seal set position = position + 1001 where position > 5;
       update audit_seal set position = position - 1000 where position > 1000;
       insert into audit_seal values (6, 13, sha256('x'))`,
      [fault('inserted', 13), fault('rewritten', 11)],
    ],
    [
      'appends an entry with a forged link',
      `insert into audit_event (actor_name, origin, action, outcome, request_id) values ('', 'web', 'x', 'ok', 'r');
       insert into audit_seal values (13, 13, sha256('x'))`,
      [fault('changed', 13)],
    ],
    [
      'cuts off the end',
      'delete from audit_event where id > 9; delete from audit_seal where event_id > 9',
      [fault('cut', 9, { count: 3 })],
    ],
    [
      'cuts off everything',
      'delete from audit_event; delete from audit_seal',
      [fault('cut', null, { count: 12 })],
    ],
  ]
  it.each(CASES)('%s: the verification reports it [2.9]', async (_what, statements, faults) => {
    const server = await createChained()
    await tamper(server, statements)
    const found = (await verify(server)).faults
    expect(found).toEqual(faults)
  })

  it('changes an entry and has all later ones chained again: the checkpoint differs [2.9]', async () => {
    const server = await createChained()
    await tamper(
      server,
      `update audit_event set action = 'x' where id = 5; delete from audit_seal where event_id >= 5;
       insert into audit_unsealed select generate_series(5, 12)`,
    )
    expect((await verify(server)).faults).toEqual([fault('rewritten', 12, { position: 12 })])
  })

  it('cuts off the end and writes new entries: the checkpoint differs [2.9]', async () => {
    const server = await createChained()
    await tamper(server, 'delete from audit_event where id > 9; delete from audit_seal where event_id > 9')
    await write(server, 5)
    expect((await verify(server)).faults).toEqual([fault('rewritten', 15, { position: 12 })])
  })

  it('rewrites the whole chain with the secret before the next checkpoint: the verification reports it [2.9]', async () => {
    const server = await createChained()
    // Even with the secret, the checkpoint reveals the change.
    await rewrite(server, server.services.chainKey)
    await writeCheckpoint(contextOf(server))
    expect((await readFile(checkpointFile(server), 'utf8')).split('\n')).toHaveLength(2)
    expect(server.logged.join('')).toMatch(
      /"level":"error","event":"audit chain: no checkpoint.*"position":12/,
    )
    expect((await verify(server)).faults).toEqual([fault('rewritten', 12, { position: 12 })])
    expect((await verify(server)).faults).toEqual([fault('rewritten', 12, { position: 12 })])
  })

  it('adds a second checkpoint for a position: the verification reports the contradiction [2.9]', async () => {
    const server = await createChained()
    const { services } = server
    await services.checkpoints.append({ at: new Date().toISOString(), position: 12, hash: '0'.repeat(64) })
    expect((await verify(server)).faults).toEqual([fault('rewritten', 12, { position: 12 })])
  })

  it('rewrites the chain without the secret and deletes the checkpoints: every entry is reported [2.9]', async () => {
    const server = await createChained()
    await rm(checkpointFile(server))
    await rewrite(server, deriveChainKey(Buffer.alloc(48)))
    const { faults } = await verify(server)
    expect(faults).toHaveLength(12)
    expect(faults).toEqual(Array.from({ length: 12 }, (_, each) => fault('changed', each + 1)))
  })

  it.each(['-9223372036854775808', '-5', '0', '300000000', '9007199254740993', '9223372036854775807'])(
    'inserts an entry with the id %s: the verification reports it [2.9]',
    async (id) => {
      const server = await createChained()
      await tamper(server, insertEntrySql({ id }))
      expect((await verify(server)).faults).toEqual([fault('inserted', id)])
    },
  )

  it.each(['-1', '0', '9223372036854775807'])(
    'inserts an entry with a link at position %s: the verification reports it, and appending continues [2.9]',
    async (position) => {
      const server = await createChained()
      await tamper(
        server,
        `${insertEntrySql({ id: '99' })}; insert into audit_seal values (${position}, 99, sha256('x'))`,
      )
      await write(server, 1)
      expect(await verify(server)).toEqual({ checked: 13, faults: [fault('inserted', 99)] })
    },
  )

  it('takes the last position of the chain, so that nothing can be appended: the verification reports it [2.9]', async () => {
    const server = await createChained()
    await tamper(
      server,
      `${insertEntrySql({ id: '99' })}; insert into audit_seal values (${Number.MAX_SAFE_INTEGER}, 99, sha256('x'))`,
    )
    await write(server, 1)
    expect((await verify(server)).faults).toEqual([fault('missing', 99)])
    expect(server.logged.join('')).toContain('"level":"error","event":"audit chain: entries not appended"')
  })

  it('changes ids and numbers by less than the precision of a double: the verification reports it [2.9]', async () => {
    const server = await createTestServer()
    const [id, other] = ['9007199254740992', '9007199254740993']
    await runSql(server.connection, insertEntrySql({ id, changes: `'{"a": {"to": 12345678901234567890}}'` }))
    await runSql(
      server.connection,
      insertEntrySql({ id: '7', changes: `'{"a": {"to": 12345678901234567890}}'` }),
    )
    await appendToChain(contextOf(server))
    await tamper(
      server,
      `update audit_event set changes = '{"a": {"to": 12345678901234567891}}' where id = 7;
       alter table audit_event alter id drop identity;
       update audit_event set id = ${other} where id = ${id};
       update audit_seal set event_id = ${other} where event_id = ${id};
       alter table audit_event alter id add generated always as identity (start 100)`,
    )
    expect((await verify(server)).faults).toEqual([fault('changed', 7), fault('changed', other)])
  })

  it('adds an entry with an old date, which is chained: the verification reports it [2.9]', async () => {
    const server = await createChained()
    await runSql(server.connection, insertEntrySql({ id: '50', at: `now() - interval '1 year'` }))
    await runSql(server.connection, insertEntrySql({ id: '51', at: `now() - interval '50 minutes'` }))
    await runSql(server.connection, insertEntrySql({ id: '52', at: `'-infinity'` }))
    const faults = [fault('backdated', 50, { position: 13 }), fault('backdated', 52, { position: 15 })]
    expect((await verify(server)).faults).toEqual(faults)
  })

  it('cuts off the end and deletes the checkpoints: the entry of the last verification reveals it [2.9]', async () => {
    const server = await createChained()
    await verify(server)
    await appendToChain(contextOf(server))
    await rm(checkpointFile(server))
    // The last entry, written by the verification, waits to be chained again.
    await tamper(
      server,
      `delete from audit_event where id between 8 and 12; delete from audit_seal where event_id >= 8;
       insert into audit_unsealed values (13); delete from audit_verification`,
    )
    expect((await verify(server)).faults).toEqual([fault('cut', 13, { position: 8, count: 4 })])
  })

  it('queues a chained entry again: the chain keeps its order', async () => {
    const server = await createChained()
    await tamper(server, 'insert into audit_unsealed values (5)')
    await write(server, 1)
    expect(await verify(server)).toEqual({ checked: 13, faults: [] })
  })
})

describe('the checkpoints outside the database', () => {
  it('are signed lines in the data folder and in the log [2.9]', async () => {
    const server = await appendEntries(await createTestServer(), 3)
    const [line] = (await readFile(checkpointFile(server), 'utf8')).trimEnd().split('\n')
    const { at, position, hash, signature } = JSON.parse(line!)
    const head = await server.db
      .selectFrom('audit_seal')
      .selectAll()
      .where('position', '=', 3)
      .executeTakeFirstOrThrow()
    expect({ position, hash }).toEqual({ position: 3, hash: head.hash.toString('hex') })
    const logged = server.logged.map((each) => JSON.parse(each)).find(({ event }) => event === 'audit anchor')
    expect(logged).toMatchObject({ position, hash, signature, anchoredAt: at, level: 'info' })
    await writeCheckpoint(contextOf(server))
    expect((await readFile(checkpointFile(server), 'utf8')).split('\n')).toHaveLength(2)
  })

  it('cause a warning if they were edited', async () => {
    const server = await createChained()
    const text = await readFile(checkpointFile(server), 'utf8')
    await writeFile(checkpointFile(server), text.replace('"position":12', '"position":11'))
    expect((await verify(server)).faults).toEqual([fault('anchors-edited', null, { count: 1 })])
    expect(server.logged.join('')).toContain('"level":"warn","event":"audit chain: fault"')
    expect(server.logged.join('')).not.toContain('"level":"error"')
  })

  it('cause one warning if they are missing, because a data folder may move', async () => {
    const server = await createChained()
    await verify(server)
    await rm(checkpointFile(server))
    expect((await verify(server)).faults).toEqual([fault('anchors-missing', null)])
    expect((await verify(server)).faults).toEqual([])
  })

  it('are written after entries are appended, at most once a minute [2.9]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const server = await createTestServer()
    await write(server, 3)
    const chainWriter = startChainWriter(createSystemContext(server.services))
    const positions = async () =>
      (await server.services.checkpoints.read()).checkpoints.map(({ position }) => position)
    const lastPosition = async () => Number((await server.services.checkpoints.readLast())?.position)
    await expect.poll(lastPosition).toBe(3)
    await write(server, 2)
    await expect.poll(() => server.db.selectFrom('audit_seal').select('position').execute()).toHaveLength(5)
    expect(await positions()).toEqual([3])
    vi.setSystemTime(Date.now() + 61_000)
    await expect.poll(positions).toEqual([3, 5])
    await chainWriter.stop()
  })

  it('are found even if many invalid lines follow them', async () => {
    const server = await createChained()
    await appendFile(checkpointFile(server), `${'x'.repeat(100)}\n`.repeat(500))
    expect(await server.services.checkpoints.readLast()).toMatchObject({ position: 12 })
  })

  it('cause no fault if they are behind the chain or truncated by a crash', async () => {
    const server = await createChained()
    await appendFile(checkpointFile(server), '{"at":"2026-01-01T00:00:00.000Z","posi')
    await write(server, 4)
    await appendToChain(contextOf(server))
    expect((await verify(server)).faults).toEqual([])
    expect((await readFile(checkpointFile(server), 'utf8')).split('\n')).toHaveLength(3)
    expect((await verify(server)).faults).toEqual([])
  })
})

it('reports an entry that is queued for more than ten minutes as late', async () => {
  const server = await createTestServer()
  await write(server, 2)
  await tamper(
    server,
    `update audit_event set at = now() - interval '11 minutes' where id = 1;
     create function fail() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger stay before delete on audit_unsealed for each row execute function fail();
     alter table audit_unsealed enable always trigger stay`,
  )
  expect((await verify(server)).faults).toEqual([fault('late', 1, { count: 1 })])
})

it('reports entries that cannot be appended for more than an hour as a fault [2.9]', async () => {
  const server = await createChained()
  await write(server, 3)
  await tamper(
    server,
    `update audit_event set at = now() - interval '61 minutes' where id = 13;
     update audit_event set at = now() - interval '59 minutes' where id = 14`,
  )
  await server.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('dosar audit chain', 0))`.execute(tx)
    expect((await verify(server)).faults).toEqual([
      fault('unsealed', 13, { count: 1 }),
      fault('late', 14, { count: 1 }),
    ])
  })
  const { outcome } = await selectVerified(server)
  expect(outcome).toBe('failed')
})

const selectVerified = (server: TestServer) =>
  server.db
    .selectFrom('audit_event')
    .select(['outcome', 'changes'])
    .where('action', '=', 'log.verified')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

it('keeps results of verifications unchangeable, and records position and number of faults in the audit log [2.9]', async () => {
  const server = await createChained()
  await tamper(server, `update audit_event set action = 'x' where id in (5, 7)`)
  await verify(server)
  expect(await selectVerified(server)).toEqual({
    outcome: 'failed',
    changes: { position: { to: 12 }, faults: { to: 2 } },
  })
  for (const statement of [
    `update audit_verification set faults = '[]'`,
    'delete from audit_verification',
    'truncate audit_verification',
  ]) {
    await expect(runSql(server.connection, statement)).rejects.toThrow('audit_verification is append-only')
  }
})

it('verifies the chain by a job for administrators, not for staff [2.9]', async () => {
  const server = await createTestServer()
  await makeUser(server.db, { email: 'admin@exemplu.test', role: 'admin', name: 'Ana Pop' })
  await makeUser(server.db, { email: 'coleg@exemplu.test', role: 'staff' })
  const [admin, colleague] = [
    await server.signIn('admin@exemplu.test'),
    await server.signIn('coleg@exemplu.test'),
  ]
  const state = '{ lastAuditVerification { checked askedBy faults { kind entryId position count } } }'
  expect((await admin.graphql(state)).data).toEqual({ lastAuditVerification: null })
  expect((await colleague.graphql(state)).errors[0]?.extensions.code).toBe('FORBIDDEN')
  expect((await colleague.graphql('mutation { verifyAudit }')).errors[0]?.extensions.code).toBe('FORBIDDEN')
  expect((await admin.graphql('mutation { verifyAudit }')).data).toEqual({ verifyAudit: true })
  await server.runJobs()
  const { lastAuditVerification } = (await admin.graphql(state)).data
  expect(lastAuditVerification).toEqual({ checked: expect.any(Number), askedBy: 'Ana Pop', faults: [] })
  const actions = await server.db.selectFrom('audit_event').select('action').orderBy('id').execute()
  expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['log.verify', 'log.verified']))
})
