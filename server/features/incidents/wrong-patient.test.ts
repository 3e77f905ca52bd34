import { randomBytes } from 'node:crypto'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { deadlineOf, INCIDENT_REPORTS_PATH } from '../../../shared/incidents/incidents.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { createTestClient } from '../../../test/client.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const READ = 'query ($id: ID!) { upload(id: $id) { id version state patient { id } } }'
const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId,
    reason: "Alt nume în raport") { id number } }`
const REQUESTS = '{ deletionRequests { id openings { name acts { kind } } } }'
const ANSWER = 'mutation ($id: ID!) { answerDeletionRequest(id: $id) { id } }'

/** A large result of another patient, released to a clinic with three users. */
async function release(server: TestServer) {
  const { db, services } = server
  const clinic = await makeInstitution(db, { name: 'Clinica Țărănești' })
  const former = await makePatient(db)
  const right = await makePatient(db)
  for (const { id } of [former, right]) await makeReferral(db, { patient_id: id, institution_id: clinic.id })
  const releasedAt = new Date(Date.now() - 3 * 24 * 3_600_000)
  const upload = await makeUpload(db, services.storage, {
    patient_id: former.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: releasedAt,
    files: [{ bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(48 * 1024 * 1024)]) }],
  })
  const features = ['admin::review-files' as const, 'patient::files' as const]
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  const ofClinic = (name: string) => signIn({ name, role: 'institution', institutionIds: [clinic.id] })
  return {
    upload,
    former,
    right,
    clinic,
    releasedAt,
    reviewer: await signIn({ name: 'Radu Matei', features }),
    admin: await signIn({ name: 'Ilinca Șerban', role: 'admin' }),
    users: [await ofClinic('Ana Pop'), await ofClinic('Ion Rus'), await ofClinic('Zoe Țuțea')] as const,
  }
}

/** What the database says of the move: all of it, or nothing. */
async function stateOf({ db }: TestServer, uploadId: string) {
  const upload = await db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow()
  const count = async (table: 'incident' | 'deletion_request' | 'message') =>
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  return {
    state: upload.state,
    patientId: upload.patient_id,
    incidents: await count('incident'),
    requests: await count('deletion_request'),
    mails: await count('message'),
  }
}

/** Returns the text of each line of a PDF, and whether it is tagged. */
async function readPdf(bytes: Uint8Array): Promise<{ text: string; isTagged: boolean; roles: string[] }> {
  const document = await getDocument({ data: bytes, useSystemFonts: false }).promise
  const lines: string[] = []
  const roles: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) lines.push(item.str)
    const tree = (await page.getStructTree()) as {
      children?: { role?: string; children?: { role?: string }[] }[]
    }
    for (const child of tree?.children ?? [])
      for (const { role } of [child, ...(child.children ?? [])]) if (role) roles.push(role)
  }
  const info = (await document.getMarkInfo()) as Map<string, boolean> | null
  return { text: lines.join(' ').replaceAll(/\s+/g, ' '), isTagged: info?.get('Marked') === true, roles }
}

it('three openings, a download under way and a killed server: access ends, nothing is lost, the report says it all', async () => {
  const server = await createTestServer()
  const { upload, former, right, clinic, releasedAt, reviewer, admin, users } = await release(server)
  const [ana, ion, zoe] = users
  const fileId = upload.files[0]!.id
  const first = await startServerProcess(server)
  const second = await startServerProcess(server)
  const at = (url: string, client: TestClient) => createTestClient(url, { cookies: client.cookies })

  // Three openings, by both processes.
  await at(first.url, ana).runQuery(READ, { id: upload.id })
  await (await at(second.url, ion).fetch(`/files/${fileId}/preview`)).body!.cancel()
  const download = await at(second.url, zoe).fetch(`/files/${fileId}`)
  const reader = download.body!.getReader()
  let received = (await reader.read()).value!.length

  // The move in the first process, which is killed in the middle of it: nothing of it has happened.
  const { version } = (await at(first.url, reviewer).runQuery(READ, { id: upload.id })).upload
  const input = { id: upload.id, version, patientId: right.id, institutionId: clinic.id }
  const blocker = server.db.transaction().execute(async (tx) => {
    // Its last statement but one waits for this lock.
    await tx.selectFrom('app_user').select('id').where('name', '=', 'Radu Matei').forUpdate().execute()
    const moving = at(first.url, reviewer).graphql(MOVE, input)
    moving.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await first.kill()
    await expect(moving).rejects.toThrow()
  })
  await blocker
  expect(await stateOf(server, upload.id)).toEqual({
    state: 'released',
    patientId: former.id,
    incidents: 0,
    requests: 0,
    mails: 0,
  })

  // Again, in this process: the download of the other process ends at once.
  const before = Date.now()
  const { id, number } = (await reviewer.runQuery(MOVE, input)).moveReleasedUpload
  const rest = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'complete'
      received += value.length
    }
  })()
  await expect(rest).rejects.toThrow()
  expect(Date.now() - before).toBeLessThan(3_000)
  expect(received).toBeLessThan(upload.files[0]!.size)
  expect((await at(second.url, zoe).fetch(`/files/${fileId}`)).status).toBe(404)
  expect(await stateOf(server, upload.id)).toEqual({
    state: 'in_review',
    patientId: right.id,
    incidents: 1,
    requests: 1,
    mails: 4,
  })

  // Killed right after the commit: it stays, and the institution answers at another process.
  await second.kill()
  const third = await startServerProcess(server)
  const clinicUser = at(third.url, ion)
  const { deletionRequests } = await clinicUser.runQuery(REQUESTS)
  // So that its users find the copies.
  expect(deletionRequests[0].openings).toEqual([
    { name: 'Ana Pop', acts: [{ kind: 'open' }] },
    { name: 'Ion Rus', acts: [{ kind: 'preview' }] },
    { name: 'Zoe Țuțea', acts: [{ kind: 'download' }] },
  ])
  await clinicUser.runQuery(ANSWER, { id: deletionRequests[0].id })
  await admin.runQuery(
    'mutation ($id: ID!) { addIncidentNote(id: $id, text: "Clinica a fost și sunată.") { id } }',
    { id },
  )
  await admin.runQuery(
    `mutation ($id: ID!) { saveIncidentNotices(id: $id, version: 1, authority: "notified", persons: "not-needed") { id } }`,
    { id },
  )
  await admin.runQuery(
    'mutation ($id: ID!) { closeIncident(id: $id, version: 2, reason: "Clinica a confirmat ștergerea.") { id } }',
    { id },
  )

  const report = await admin.get(`${INCIDENT_REPORTS_PATH}/${id}/report.pdf`, {
    authorization: await admin.authorization('export'),
  })
  const { text, isTagged, roles } = await readPdf(new Uint8Array(await report.arrayBuffer()))
  const incident = await server.db.selectFrom('incident').selectAll().executeTakeFirstOrThrow()
  const request = await server.db.selectFrom('deletion_request').selectAll().executeTakeFirstOrThrow()
  const note = await server.db.selectFrom('incident_note').selectAll().executeTakeFirstOrThrow()
  const openings = incident.openings as unknown as { name: string; acts: { firstAt: string }[] }[]
  const openedAt = Object.fromEntries(
    openings.map(({ name, acts }) => [name, formatMoment(new Date(acts[0]!.firstAt))]),
  )
  const expected = [
    `Raport de incident nr. ${number}`,
    'Ce s-a întâmplat',
    `Rezultatul nr. ${upload.number} a fost eliberat pentru pacientul nr. ${former.number}, deși este al pacientului nr. ${right.number}.`,
    'Instituția care îl putea vedea: Clinica Țărănești.',
    'Motivul mutării: Alt nume în raport',
    'Când',
    `Eliberat: ${formatMoment(releasedAt)}.`,
    `Descoperit: ${formatMoment(incident.discovered_at)}.`,
    `Mutat la pacientul căruia îi aparține: ${formatMoment(incident.moved_at)}, de Radu Matei.`,
    `Termenul de 72 de ore pentru anunțarea ANSPDCP: ${formatMoment(deadlineOf(incident.discovered_at))}.`,
    'Ce date și ale cui',
    `Persoane vizate: pacientul nr. ${right.number}, ale cărui date au fost dezvăluite, și pacientul nr. ${former.number}, la care a apărut un rezultat străin.`,
    'Categorii de date: date de identificare (nume, CNP și data nașterii, dacă sunt scrise în fișiere) și date privind sănătatea.',
    'Cuprins: 1 fișier.',
    'Cine l-a deschis',
    `Ana Pop (Clinica Țărănești): a deschis rezultatul pe ${openedAt['Ana Pop']}.`,
    `Ion Rus (Clinica Țărănești): a văzut fișiere pe ${openedAt['Ion Rus']}.`,
    `Zoe Țuțea (Clinica Țărănești): a descărcat fișiere pe ${openedAt['Zoe Țuțea']}.`,
    'Măsuri luate',
    `Accesul instituției era oprit pe ${formatMoment(incident.moved_at)}, la fel și descărcările în curs.`,
    'Rezultatul ajunge la o instituție numai după o nouă verificare, pentru pacientul căruia îi aparține.',
    `Instituția Clinica Țărănești a fost rugată pe ${formatMoment(request.created_at)} să șteargă ce a primit, în Dosar și prin mesaje către 3 conturi; a confirmat ștergerea pe ${formatMoment(request.answered_at!)}, prin Ion Rus.`,
    'Anunțarea',
    `ANSPDCP a fost anunțată (${formatMoment(incident.authority_at!)}).`,
    `Persoanele nu trebuie anunțate: riscul pentru ele nu este ridicat (${formatMoment(incident.persons_at!)}).`,
    'Note',
    `${formatMoment(note.created_at)}, Ilinca Șerban: Clinica a fost și sunată.`,
    'Încheierea',
    `Încheiat pe ${formatMoment(incident.closed_at!)} de Ilinca Șerban: Clinica a confirmat ștergerea.`,
  ]
  let position = 0
  for (const line of expected) {
    const found = text.indexOf(line, position)
    expect([line, found >= position], text).toEqual([line, true])
    position = found + line.length
  }
  for (const secret of [former, right].flatMap(({ cnp, surname }) => [cnp!, surname]))
    expect(text).not.toContain(secret)
  expect(isTagged).toBe(true)
  expect(new Set(roles)).toEqual(new Set(['Document', 'H1', 'H2', 'P']))
}, 120_000)
