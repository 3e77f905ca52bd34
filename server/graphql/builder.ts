import SchemaBuilder from '@pothos/core'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import type { Feature } from '../../shared/access/features.ts'
import { isAdmin, isInstitution, isSender, isStaff } from '../actor.access.ts'
import type { Ctx, PublicActor, UserActor, UserCtx } from '../context.ts'
import { forbidden } from '../errors.ts'

/** The `extensions` of a request [7.8], and those of its response, which resolvers fill. */
export type Extensions = { request: Readonly<Record<string, unknown>>; response: Record<string, unknown> }

/** The cookies of the shares that were proved in this browser, by the id of the share; null deletes one. */
export type ShareCookies = {
  read(shareId: string): string | null
  write(shareId: string, token: string | null): void
}

/** What a subscription does not have. */
type WithExtensions = { extensions?: Extensions; shareCookies?: ShareCookies }

/** The context of a GraphQL request: of a signed-in user, or of a program with a public API key [6.5]. */
export type ClientCtx = Ctx<UserActor | PublicActor> & WithExtensions

/**
 * The builder of the schema. Every field of Query, Mutation and Subscription declares its `authScopes`, which
 * a test checks; the verb behind the field decides which rows the user may see.
 *
 * The root types require a signed-in user, so a field is closed to API keys unless it declares both
 * `t.withAuth({ anyClient: true })`, which gives its resolver the wider context, and `skipTypeScopes: true`.
 * The test lists the fields that do so.
 */
export const builder = new SchemaBuilder<{
  Context: UserCtx & WithExtensions
  AuthScopes: {
    /** A signed-in user or a public API key. */
    anyClient: boolean
    /** Any signed-in user. */
    signedIn: boolean
    /** `admin` or `staff` [6.1]. */
    staff: boolean
    admin: boolean
    institution: boolean
    /** A user of an institution that may send files. */
    sender: boolean
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
      if (actor.kind === 'public') return { ...NO_SCOPES, anyClient: true }
      return {
        anyClient: true,
        signedIn: true,
        staff: isStaff(actor),
        admin: isAdmin(actor),
        institution: isInstitution(actor),
        sender: isSender(actor),
        feature: (feature) => actor.features.has(feature),
      }
    },
    unauthorizedError: (_parent, _context, info) => forbidden(`${info.parentType.name}.${info.fieldName}`),
  },
})

const NO_SCOPES = {
  signedIn: false,
  staff: false,
  admin: false,
  institution: false,
  sender: false,
  feature: false,
}

builder.queryType({
  description: 'What can be read. A field that names no permission is open to every signed-in user.',
  authScopes: { signedIn: true },
})
builder.mutationType({
  description:
    'What can be changed, one change a request. A field that names no permission is open to every signed-in user.',
  authScopes: { signedIn: true },
})
builder.subscriptionType({
  description:
    'What is announced over the websocket. Events contain only ids: read the changed object with your own rights.',
  authScopes: { signedIn: true },
})
