import { builder } from '../../graphql/builder.ts'
import type { ApiKeyRow } from './api-keys.db.ts'
import { createApiKey } from './create-api-key.ts'
import { listApiKeys } from './list-api-keys.ts'
import { revokeApiKey } from './revoke-api-key.ts'

const ApiKey = builder.objectRef<ApiKeyRow>('ApiKey').implement({
  authScopes: { admin: true },
  description: 'A key with which programs read the public fields.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    hint: t.exposeString('hint', { description: 'The last characters of the key.' }),
    isOwn: t.boolean({
      description: "Whether it is the key of the product's own public pages, which cannot be revoked.",
      resolve: ({ created_by }) => created_by === null,
    }),
    authorName: t.exposeString('author_name', {
      description: 'The administrator who made it; null for the own key.',
      nullable: true,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastUsedAt: t.expose('last_used_at', {
      description: 'Null if it was never used.',
      type: 'DateTime',
      nullable: true,
    }),
    revokedAt: t.expose('revoked_at', {
      description: 'Null while it is valid.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const NewApiKey = builder.objectRef<{ key: string; apiKey: ApiKeyRow }>('NewApiKey').implement({
  authScopes: { admin: true },
  description: 'A new API key, with its secret.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The secret, returned only here.',
    }),
    apiKey: t.field({ type: ApiKey, resolve: ({ apiKey }) => apiKey }),
  }),
})

builder.queryFields((t) => ({
  apiKeys: t.field({
    description: 'All API keys, revoked ones included.',
    type: [ApiKey],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => listApiKeys(ctx),
  }),
}))

builder.mutationFields((t) => ({
  createApiKey: t.field({
    description: 'Makes an API key.',
    type: NewApiKey,
    authScopes: { admin: true },
    args: { name: t.arg.string({ description: 'Which program uses it.', required: true }) },
    resolve: (_root, args, ctx) => createApiKey(ctx, args),
  }),
  revokeApiKey: t.field({
    description: 'Makes an API key invalid and returns its id. Fails with CONFLICT for the own key.',
    type: 'ID',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revokeApiKey(ctx, id),
  }),
}))
