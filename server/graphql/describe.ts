import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql'
import type { builder } from './builder.ts'

/** Returns the codes as they are written in descriptions. */
export const listCodes = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ')

type ArgBuilder = Parameters<Parameters<typeof builder.queryField>[1]>[0]['arg']

export const VERSION = {
  description: 'Counts the changes. A change states the version that it was made from.',
} as const

/** Returns the argument with the version that a change was made from. */
export const versionArg = (t: { arg: ArgBuilder }) =>
  t.arg.int({
    required: true,
    description: 'The version that the change was made from; CONFLICT if it is no longer the current one.',
  })

const PERMISSIONS: Readonly<Record<string, string>> = {
  anyClient: 'Also with a public API key.',
  staff: 'Staff and administrators only.',
  admin: 'Administrators only.',
  institution: 'Users of institutions only.',
  sender: 'Users of institutions that may send files only.',
}

type Scopes = { $all?: Scopes; feature?: string; [scope: string]: unknown }

/** Returns the sentences of the scopes; none for `signedIn`, which the description of the root types has. */
const describeScopes = ({ $all, feature, ...scopes }: Scopes): string[] => [
  ...Object.keys(scopes).flatMap((scope) => PERMISSIONS[scope] ?? []),
  ...(feature ? [`Requires the feature \`${feature}\`.`] : []),
  ...($all ? describeScopes($all) : []),
]

type Options = { authScopes?: Scopes; unauthorizedResolver?: () => unknown }

/** Returns the sentences of a field or type, and what readers without the permission get in place of an error. */
function describeOptions({ authScopes = {}, unauthorizedResolver }: Options): string[] {
  const sentences = describeScopes(authScopes)
  if (!unauthorizedResolver) return sentences
  return [...sentences, unauthorizedResolver() === null ? 'Null for all others.' : 'Empty for all others.']
}

/** Adds to the description of each type and field what its `authScopes` require, so that the two cannot differ. */
export function describePermissions(schema: GraphQLSchema): GraphQLSchema {
  const describe = (part: GraphQLObjectType | GraphQLField<unknown, unknown>) => {
    const options = (part.extensions.pothosOptions ?? {}) as Options
    part.description = [part.description, ...describeOptions(options)].filter(Boolean).join(' ') || null
  }
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    describe(type)
    for (const field of Object.values(type.getFields())) describe(field)
  }
  return schema
}
