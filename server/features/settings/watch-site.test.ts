import { expect, it } from 'vitest'
import { makeInstitution, makeUser } from '../../../db/factories.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { createContext } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { findActorBySession } from '../accounts/sessions/find-actor.ts'
import { watchSite } from './watch-site.ts'

it('what an institution asks, and news that it reads, are announced to staff and to its own users, links to those who may share, and none to another institution', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const [clinic, other] = [await makeInstitution(db), await makeInstitution(db)]
  // Until the server receives events; nobody has this account.
  const events = services.events.subscribe()
  await publish(db, { kind: 'account', id: newId() })
  for await (const { kind } of events) {
    if (kind === 'account') break
    await publish(db, { kind: 'account', id: newId() })
  }

  const watch = async (over: Parameters<typeof makeUser>[1]) => {
    const { id, email } = await makeUser(db, over)
    await server.signIn(email)
    const session = await db
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    const { actor } = (await findActorBySession(db, session.id, new Date()))!
    const changes = watchSite(
      createContext(services, actor, { id: newId(), ip: null, userAgent: null, origin: 'web' }),
    )
    const read = async () => {
      const seen: string[] = []
      for await (const change of changes) {
        seen.push(change)
        if (change === 'SITE') return seen
      }
      return seen
    }
    return { id, read }
  }
  const staff = await watch({})
  const reader = await watch({ features: ['patient::news'] })
  const sender = await watch({ features: ['patient::share'] })
  const own = await watch({ role: 'institution', institutionIds: [clinic.id] })
  const foreign = await watch({ role: 'institution', institutionIds: [other.id] })
  // Leaves the institution while the page is open.
  const former = await watch({ role: 'institution', institutionIds: [clinic.id, other.id] })
  await db
    .deleteFrom('user_institution')
    .where('user_id', '=', former.id)
    .where('institution_id', '=', clinic.id)
    .execute()
  await publish(db, { kind: 'access-request', institutionId: clinic.id })
  await publish(db, { kind: 'question', institutionId: clinic.id })
  await publish(db, { kind: 'news', institutionId: null })
  await publish(db, { kind: 'news', institutionId: clinic.id })
  await publish(db, { kind: 'share', id: newId(), patientId: newId() })
  await publish(db, { kind: 'site' })
  expect(await staff.read()).toEqual([
    'ACCESS_REQUESTS',
    'NOTIFICATIONS',
    'QUESTIONS',
    'NOTIFICATIONS',
    'SITE',
  ])
  expect(await reader.read()).toEqual([
    'ACCESS_REQUESTS',
    'NOTIFICATIONS',
    'QUESTIONS',
    'NOTIFICATIONS',
    'NEWS',
    'SITE',
  ])
  expect(await sender.read()).toEqual([
    'ACCESS_REQUESTS',
    'NOTIFICATIONS',
    'QUESTIONS',
    'NOTIFICATIONS',
    'SHARES',
    'SITE',
  ])
  expect(await own.read()).toEqual([
    'ACCESS_REQUESTS',
    'NOTIFICATIONS',
    'QUESTIONS',
    'NOTIFICATIONS',
    'NEWS',
    'SITE',
  ])
  expect(await foreign.read()).toEqual(['SITE'])
  expect(await former.read()).toEqual(['SITE'])
})
