import { INTEGRATION_KEY_PREFIX } from '../../../shared/integrations.ts'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { UserError, unauthenticated } from '../../errors.ts'
import { hashToken, isUseOutdated } from '../../platform/crypto/keys.ts'
import type { Db } from '../../platform/database/database.ts'
import { allowsAddress } from './addresses.ts'
import { selectIntegration, selectIntegrationByHash, touchIntegration } from './integrations.db.ts'

const AUTHORIZATION = new RegExp(`^Bearer (${INTEGRATION_KEY_PREFIX}[A-Za-z0-9_-]{43})$`)

export type FoundIntegration = { actor: IntegrationActor; addresses: readonly string[] }

/** Returns the integration of `Authorization: Bearer di_…`. Throws UNAUTHENTICATED for a missing, unknown or revoked key. */
export async function findIntegration(
  db: Db,
  authorization: string | undefined,
  now: Date,
): Promise<FoundIntegration> {
  const key = AUTHORIZATION.exec(authorization ?? '')?.[1]
  const row = key ? await selectIntegrationByHash(db, hashToken(key)) : undefined
  if (!row) throw unauthenticated()
  const { id, name, addresses, last_used_at } = row
  if (isUseOutdated(last_used_at, now)) await touchIntegration(db, id, now)
  return { actor: { kind: 'integration', id, name }, addresses }
}

/** Throws UNAUTHENTICATED if the key of the integration was revoked since the request began. */
export async function requireUnrevoked({ actor, db }: Ctx<IntegrationActor>): Promise<void> {
  if ((await selectIntegration(db, actor.id))?.revoked_at !== null) throw unauthenticated()
}

/** Throws FORBIDDEN unless the integration may send from this address. */
export function requireAllowedAddress(
  { addresses }: Pick<FoundIntegration, 'addresses'>,
  address: string | null,
): void {
  if (allowsAddress(addresses, address)) return
  throw new UserError('FORBIDDEN', 'address not allowed', 'Cheia nu este acceptată de la această adresă.', {
    denied: 'intake from this address',
  })
}
