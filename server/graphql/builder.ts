import SchemaBuilder from '@pothos/core'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import type { Feature } from '../../shared/access/features.ts'
import { isAdmin, isInstitution, isStaff } from '../actor.access.ts'
import type { Ctx, PublicActor, UserActor, UserCtx } from '../context.ts'
import { forbidden } from '../errors.ts'

/** Whom the door lets in: a signed-in person, or a program with a public API key [6.5]. */
export type ClientCtx = Ctx<UserActor | PublicActor>

/**
 * The one builder of the schema. A field of Query, Mutation or Subscription must say who may enter (`authScopes`): a test
 * walks the schema and fails on one that does not. Scopes are the coarse gate; which rows a person sees is decided by
 * the verb.
 *
 * The context is that of a signed-in person: the root types let nobody else in, so a field that says nothing is closed to
 * API keys. One that is open to them says so twice, `t.withAuth({ anyClient: true })`, which gives its resolver the wider
 * context, and `skipTypeScopes: true`; the test knows each of them by name.
 */
export const builder = new SchemaBuilder<{
  Context: UserCtx
  AuthScopes: {
    /** A signed-in user or a public API key. */
    anyClient: boolean
    /** Any signed-in user. */
    signedIn: boolean
    /** `admin` or `staff` [6.1]. */
    staff: boolean
    admin: boolean
    institution: boolean
    feature: Feature
  }
  AuthContexts: { anyClient: ClientCtx }
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    Date: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
  }
  DefaultFieldNullability: false
  DefaultInputFieldRequiredness: false
}>({
  plugins: [ScopeAuthPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authScopes: ({ actor }: ClientCtx) => {
      if (actor.kind === 'public') return { ...NO_ITEMS, anyClient: true }
      return {
        anyClient: true,
        signedIn: true,
        staff: isStaff(actor),
        admin: isAdmin(actor),
        institution: isInstitution(actor),
        feature: (feature) => actor.features.has(feature),
      }
    },
    unauthorizedError: (_parent, _context, info) => forbidden(`${info.parentType.name}.${info.fieldName}`),
  },
})

const NO_ITEMS = { signedIn: false, staff: false, admin: false, institution: false, feature: false }

builder.queryType({ authScopes: { signedIn: true } })
builder.mutationType({ authScopes: { signedIn: true } })
builder.subscriptionType({ authScopes: { signedIn: true } })
