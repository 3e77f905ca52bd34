import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient, makeUser } from '../../../db/factories.ts'
import { UPLOAD_STATES, type UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { canMove, UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext, inTransaction } from '../../context.ts'
import type { ChangeEvent } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { Clearance } from './clearance.ts'
import { moveCleared, moveUpload, requireLegalMove } from './move-upload.ts'

let server: TestServer
let owners: { patient_id: string; institution_id: string; created_by: string }
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  owners = {
    patient_id: (await makePatient(db)).id,
    institution_id: (await makeInstitution(db)).id,
    created_by: (await makeUser(db)).id,
  }
})

const LONG_AGO = new Date('2026-01-01T08:00:00Z')
const MORE = { reason: { to: 'un motiv' } }
const makeIn = (state: UploadState) =>
  makeEmptyUpload(server.db, { ...owners, state, state_since: LONG_AGO, release_at: LONG_AGO })
const move = (id: string, to: UploadState) =>
  inTransaction(createSystemContext(server.services), (tx) =>
    to === 'accepted' || to === 'released'
      ? moveCleared(tx, id, { to, clearance: new Clearance(id) }, 'upload.return', MORE)
      : moveUpload(tx, id, to, 'upload.return', MORE),
  )
const read = (id: string) =>
  server.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const entriesOf = (id: string) =>
  server.db.selectFrom('audit_event').selectAll().where('subject_id', '=', id).execute()

const pairs = UPLOAD_STATES.flatMap((from) => UPLOAD_STATES.map((to) => [from, to] as const))

describe('a move', () => {
  it.each(pairs.filter(([from, to]) => canMove(from, to)))(
    '%s → %s is made, recorded and announced',
    async (from, to) => {
      const { id, version } = await makeIn(from)
      const announced: ChangeEvent[] = []
      const events = server.services.events.subscribe()
      const listening = (async () => {
        for await (const event of events) {
          announced.push(event)
          if (event.kind === 'upload' && event.id === id) return
        }
      })()
      await move(id, to)
      await listening

      const row = await read(id)
      expect(row).toMatchObject({ state: to, version: version + 1, release_at: null })
      expect(row.state_since.getTime()).toBeGreaterThan(LONG_AGO.getTime())
      expect(await entriesOf(id)).toMatchObject([
        {
          action: 'upload.return',
          subject_type: 'upload',
          patient_id: owners.patient_id,
          changes: { state: { from, to }, reason: { to: 'un motiv' } },
        },
      ])
      const { patient_id: patientId, institution_id: institutionId } = owners
      // Only an institution that saw the upload has to drop it.
      const revoked = from === 'released' ? { isRevoked: true } : {}
      expect(announced.at(-1)).toEqual({ kind: 'upload', id, patientId, institutionId, ...revoked })
    },
  )

  it.each(pairs.filter(([from, to]) => !canMove(from, to)))(
    '%s → %s is rejected, and nothing changes',
    async (from, to) => {
      const message = `Între timp, încărcarea a trecut în starea „${UPLOAD_STATE_NAMES[from]}”.`
      const error = { code: 'CONFLICT', userMessage: message, message: `upload ${from} → ${to}` }
      expect(() => requireLegalMove(from, to)).toThrow(expect.objectContaining(error))
      const { id } = await makeIn(from)
      const before = await read(id)
      await expect(move(id, to)).rejects.toMatchObject(error)
      expect(await read(id)).toEqual(before)
      expect(await entriesOf(id)).toEqual([])
    },
  )

  it('of an unknown upload is NOT_FOUND', async () => {
    await expect(move(newId(), 'released')).rejects.toMatchObject({ code: 'NOT_FOUND', denied: 'upload' })
  })

  it('that is made twice at once is made once', async () => {
    const { id } = await makeIn('in_review')
    const results = await Promise.allSettled([move(id, 'accepted'), move(id, 'accepted')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await entriesOf(id)).toHaveLength(1)
  })

  it('adds nothing to the audit log but the states where nothing else is named', async () => {
    const { id } = await makeIn('in_review')
    await inTransaction(createSystemContext(server.services), (tx) =>
      moveUpload(tx, id, 'rejected', 'upload.reject'),
    )
    expect((await entriesOf(id))[0]!.changes).toEqual({ state: { from: 'in_review', to: 'rejected' } })
  })

  it('is not made with a clearance that the gate gave for another upload', async () => {
    const [one, other] = [await makeIn('in_review'), await makeIn('in_review')]
    const cleared = { to: 'accepted', clearance: new Clearance(other.id) } as const
    await expect(
      inTransaction(createSystemContext(server.services), async (tx) =>
        moveCleared(tx, one.id, cleared, 'upload.accept'),
      ),
    ).rejects.toThrow('another upload')
    expect((await read(one.id)).state).toBe('in_review')
  })
})
