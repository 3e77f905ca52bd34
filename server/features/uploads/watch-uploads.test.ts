import { expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { createTestServer } from '../../../test/harness.ts'
import type { UserActor } from '../../context.ts'
import { createContext } from '../../parts.ts'
import { announce } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { watchUploads } from './watch-uploads.ts'

it('ends as soon as the reader leaves, not at the next change that concerns them', async () => {
  const { db, parts } = await createTestServer()
  const { id, name, email } = await makeUser(db, { role: 'institution' })
  const actor: UserActor = {
    kind: 'user',
    id,
    name,
    email,
    role: 'institution',
    features: new Set(),
    institutionIds: [],
    sessionId: newId(),
  }
  const ctx = createContext(parts, actor, { id: newId(), ip: null, userAgent: null, origin: 'web' })
  // Until the server listens, its first words are that it does.
  const tell = () => announce(db, { kind: 'account', id })
  const heard = parts.events.subscribe()
  await tell()
  for await (const event of heard) {
    if (event.kind === 'account') break
    await tell()
  }

  const changes = watchUploads(ctx, null)
  const waiting = changes.next()
  await changes.return?.()
  expect(await waiting).toEqual({ value: undefined, done: true })
})
