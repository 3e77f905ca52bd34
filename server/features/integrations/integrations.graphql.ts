import type { IntegrationKind } from '../../../shared/integrations.ts'
import { builder } from '../../graphql/builder.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { createIntegration } from './create-integration.ts'
import type { IntegrationRow } from './integrations.db.ts'
import { listIntegrations } from './list-integrations.ts'
import { revokeIntegration, updateIntegration } from './update-integration.ts'

const IntegrationKindType = builder.enumType('IntegrationKind', {
  description: 'How an integration sends.',
  values: {
    folder: { description: 'A watched folder.' },
    program: { description: 'A program that calls `POST /api/intake` itself, such as a LIS.' },
  } satisfies Record<IntegrationKind, object>,
})

const IntegrationInstitution = builder
  .objectRef<{ id: string; name: string }>('IntegrationInstitution')
  .implement({
    authScopes: { admin: true },
    description: 'The institution of results that name none.',
    fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
  })

const IntegrationCategory = builder
  .objectRef<{ slug: string; name: string }>('IntegrationCategory')
  .implement({
    authScopes: { admin: true },
    description: 'The category of results that name none.',
    fields: (t) => ({ slug: t.exposeString('slug'), name: t.exposeString('name') }),
  })

const Integration = builder.objectRef<IntegrationRow>('Integration').implement({
  authScopes: { admin: true },
  description: 'A program that sends results with a key of its own. It reads and releases nothing.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { description: 'Shown where a person would be named.' }),
    kind: t.expose('kind', { type: IntegrationKindType }),
    institution: t.field({
      type: IntegrationInstitution,
      nullable: true,
      resolve: ({ institution_id: id, institution_name: name }) =>
        id && name !== null ? { id, name } : null,
    }),
    category: t.field({
      type: IntegrationCategory,
      nullable: true,
      resolve: ({ category_slug: slug, category_name: name }) =>
        slug !== null && name !== null ? { slug, name } : null,
    }),
    addresses: t.exposeStringList('addresses', {
      description: 'IP addresses and networks (`10.0.0.0/8`) that it may send from; all if empty.',
    }),
    submitsToReview: t.exposeBoolean('submits_to_review', {
      description:
        'Whether results that surely belong to a patient, and are complete, go to review without a person.',
    }),
    hint: t.exposeString('hint', { description: 'The last characters of the key.' }),
    version: t.exposeInt('version', VERSION),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastUsedAt: t.expose('last_used_at', {
      description: 'To the minute; null if it was never used.',
      type: 'DateTime',
      nullable: true,
    }),
    revokedAt: t.expose('revoked_at', {
      description: 'Null while its key is valid.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const NewIntegration = builder
  .objectRef<{ key: string; integration: IntegrationRow }>('NewIntegration')
  .implement({
    authScopes: { admin: true },
    description: 'A new integration, with its key.',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'Returned only here.' }),
      integration: t.expose('integration', { type: Integration }),
    }),
  })

const IntegrationInput = builder.inputType('IntegrationInput', {
  description: 'What administrators choose for an integration.',
  fields: (t) => ({
    name: t.string({ required: true }),
    kind: t.field({ type: IntegrationKindType, required: true }),
    institutionId: t.id({ description: 'None if omitted.' }),
    categorySlug: t.string({ description: 'With `::` between the levels; none if omitted.' }),
    addresses: t.stringList({ description: 'At most 50.', required: true }),
    submitsToReview: t.boolean({ required: true }),
  }),
})

builder.queryFields((t) => ({
  integrations: t.field({
    description: 'All integrations, revoked ones included, the newest first.',
    type: [Integration],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => listIntegrations(ctx),
  }),
}))

builder.mutationFields((t) => ({
  createIntegration: t.field({
    description: 'Adds an integration and makes its key.',
    type: NewIntegration,
    authScopes: { admin: true },
    args: { input: t.arg({ type: IntegrationInput, required: true }) },
    resolve: (_root, { input }, ctx) => createIntegration(ctx, input),
  }),
  updateIntegration: t.field({
    description: 'Changes an integration; its key stays. CONFLICT if the key is revoked.',
    type: Integration,
    authScopes: { admin: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      input: t.arg({ type: IntegrationInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateIntegration(ctx, args),
  }),
  revokeIntegration: t.field({
    description: 'Makes the key of an integration invalid. CONFLICT if it is already.',
    type: Integration,
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revokeIntegration(ctx, id),
  }),
}))
