import { sql } from 'kysely'
import type { TokenAudience } from '../../shared/token-audiences.ts'
import type { TestServer } from '../test-server.ts'
import { describe as describeFile } from '../tus.ts'
import type { Kind, Row } from './rows.ts'
import { beginTransfer, type Principal, STATES, UNKNOWN_ID, UNKNOWN_TRANSFER } from './world.ts'

/** `outcome`: `ok`, or the code of the error; `body`: the whole response, with the id of the request replaced. */
type Answer = { outcome: string; status: string; body: string }

/** How many of the things of one name are asked for by their ids. */
const MAX_IDS = 2

/** Returns the text of a cell: what the server answers to the principal. */
export async function ask(server: TestServer, name: string, row: Row, principal: Principal): Promise<string> {
  if (row.of) return askForEach(server, name, row, row.of, principal)
  const { outcome, status, body } = await send(server, name, row, principal, UNKNOWN_ID)
  if (row.undo) await undo(server, row, principal, UNKNOWN_ID)
  if (outcome !== 'ok') return outcome
  if (row.lists) {
    const ids = [...body.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
    return ids.length === 0 && row.http ? status : nameIds(ids, principal)
  }
  if (name === 'GET /api/token' && !body.includes('"id_token":null')) return 'own'
  return row.http ? status : 'ok'
}

/**
 * Sends the id of every thing of the kind. A thing exists for the principal if the answer differs from that to an
 * unknown id, ids apart; returns the names of those, by the outcome where it is an error.
 */
async function askForEach(
  server: TestServer,
  name: string,
  row: Row,
  kind: Kind,
  principal: Principal,
): Promise<string> {
  const unknown = await send(
    server,
    name,
    row,
    principal,
    kind === 'transfer' ? UNKNOWN_TRANSFER : UNKNOWN_ID,
  )
  // Without a session no id is looked at.
  if (unknown.outcome === '401') return '401'
  const reached = new Map<string, string[]>()
  for (const [thing, ids] of principal.things[kind]) {
    const outcomes = new Set<string>()
    for (const id of ids.slice(0, MAX_IDS)) {
      const answer = await send(server, name, row, principal, id)
      outcomes.add(answer.status + answer.body === unknown.status + unknown.body ? '' : answer.outcome)
      if (answer.outcome === 'ok' && row.undo) await undo(server, row, principal, id)
    }
    const [outcome, ...others] = outcomes
    // Ids of one name are alike: the whole cell is wrong where they are answered differently.
    const key = others.length > 0 ? `DIFFERENT ${[...outcomes].join('|')}` : outcome!
    if (key) reached.set(key, [...(reached.get(key) ?? []), thing])
  }
  if (reached.size === 0) return unknown.outcome === 'ok' ? 'empty' : unknown.outcome
  const allowed = reached.get('ok') ?? []
  const rest = [...reached].filter(([outcome]) => outcome !== 'ok')
  return [
    ...(allowed.length > 0 ? [allowed.join(' ')] : []),
    ...rest.map(([outcome, names]) => `${outcome}: ${names.join(' ')}`),
  ].join('; ')
}

/** Returns the names of the ids, each name once and only where all its ids are there; `empty` for none. */
export function nameIds(ids: readonly string[], principal: Principal): string {
  const found = new Set(ids)
  if (found.size === 0) return 'empty'
  const names: string[] = []
  const known = Object.values(principal.things).flatMap((things) => [...things])
  for (const [name, things] of known) {
    const count = things.filter((id) => found.delete(id)).length
    if (count === things.length) names.push(name)
    else if (count > 0) names.push(`PART OF ${name}`)
  }
  return [...names, ...(found.size > 0 ? [`UNKNOWN ${found.size}`] : [])].join(' ')
}

async function send(
  { app }: TestServer,
  name: string,
  { fields, http, passes }: Row,
  principal: Principal,
  id: string,
): Promise<Answer> {
  const { headers, cookie } = principal
  const own = {
    ...headers[audienceOf(http?.path)],
    ...(cookie && !http?.path.startsWith('/files') ? { cookie } : {}),
  }
  const response = http
    ? await app.request(http.path.replace(':id', id), {
        method: http.method,
        headers: {
          ...(http.path.startsWith('/files') && { 'tus-resumable': '1.0.0' }),
          ...(name === 'POST /files' && { 'upload-metadata': describeFile(id, Buffer.from('%PDF-')) }),
          ...http.headers,
          ...own,
        },
        ...(http.body === undefined ? {} : { body: http.body }),
      })
    : await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...own },
        body: JSON.stringify({ query: documentOf(name, fields!), variables: { id } }),
      })
  const status = String(response.status)
  const body = (await response.text()).replaceAll(id, '<id>').replace(/"(errorId|expires)":"[^"]*"/g, '')
  const code = http ? outcomeOf(response.status, body) : (/"code":"(\w+)"/.exec(body)?.[1] ?? 'ok')
  const outcome = response.status === 401 ? '401' : code === passes ? 'ok' : code
  return { outcome, status, body }
}

/** Returns the audience of the tokens of a path; without a path that of GraphQL. */
const audienceOf = (path = '/graphql'): TokenAudience =>
  /^\/api\/(incidents|patient-records)|\.csv$/.test(path)
    ? 'export'
    : /^\/(files|api\/(site-images|patient-imports))/.test(path)
      ? 'files'
      : 'graphql'

const documentOf = (name: string, fields: string): string =>
  `${name.split('.')[0]!.toLowerCase()} ${fields.includes('$id') ? '($id: ID!) ' : ''}{ ${fields} }`

/** Auth.js answers 200 with the error in an address. */
const outcomeOf = (status: number, body: string): string =>
  /[?&]error=(\w+)/.exec(body)?.[1] ?? (status < 400 ? 'ok' : String(status))

/** Restores what an allowed request changed, so that the next one finds the same world. */
async function undo(server: TestServer, row: Row, principal: Principal, id: string): Promise<void> {
  const { db } = server
  const sessions = db.updateTable('session').set({ revoked_at: null })
  const file = db.updateTable('file').where('id', '=', id)
  switch (row.undo) {
    case 'own-sessions':
      await sessions.where('user_id', '=', principal.userId).execute()
      break
    case 'session':
      await sessions.where('id', '=', id).execute()
      break
    case 'removed-file':
      await file.set({ removed_at: null, removed_by: null, removed_reason: null }).execute()
      break
    case 'restored-file':
      await file.set({ removed_at: new Date() }).execute()
      // An accepted or released upload returns to review with a restored file.
      await db
        .updateTable('upload')
        .set({ state: 'released' })
        .where('id', '=', principal.things.upload.get('rel.A')![0]!)
        .execute()
      break
    case 'upload-state': {
      const [name] = [...principal.things.upload].find(([, ids]) => ids.includes(id))!
      await db.updateTable('upload').set({ state: STATES[name]! }).where('id', '=', id).execute()
      // The withdrawal has ended what was shared.
      await db.updateTable('share').set({ ended_at: null, ended_why: null }).execute()
      await db.updateTable('share_upload').set({ removed_at: null }).where('upload_id', '=', id).execute()
      // Of the withdrawal; that of the world says of no opening.
      await sql`delete from recall where upload_id = ${id}::uuid and openings <> '[]'`.execute(db)
      break
    }
    case 'transfer': {
      const [draft] = principal.things.upload.get('own.draft')!
      principal.things.transfer.set('own', [await beginTransfer(server, principal, draft!)])
    }
  }
}
