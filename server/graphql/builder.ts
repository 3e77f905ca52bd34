import SchemaBuilder from '@pothos/core'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import type { Feature } from '../../shared/features.ts'
import type { UserCtx } from '../context.ts'
import { forbidden } from '../errors.ts'

/**
 * The one builder of the schema. A field of Query, Mutation or Subscription must say who may enter (`authScopes`): a test
 * walks the schema and fails on one that does not. Scopes are the coarse gate; which rows a person sees is decided by
 * the verb. The context is always that of a signed-in user: the door lets nobody else in.
 */
export const builder = new SchemaBuilder<{
  Context: UserCtx
  AuthScopes: {
    /** Any signed-in user. */
    signedIn: boolean
    /** `admin` or `staff` [6.1]. */
    staff: boolean
    admin: boolean
    institution: boolean
    feature: Feature
  }
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
    authScopes: ({ actor }) => ({
      signedIn: true,
      staff: actor.role !== 'institution',
      admin: actor.role === 'admin',
      institution: actor.role === 'institution',
      feature: (feature) => actor.features.has(feature),
    }),
    unauthorizedError: (_parent, _context, info) => forbidden(`${info.parentType.name}.${info.fieldName}`),
  },
})

builder.queryType({})
builder.mutationType({})
builder.subscriptionType({})
