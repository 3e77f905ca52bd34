import { builder } from '../../graphql/builder.ts'
import type { ApiKeyRow } from './api-keys.db.ts'
import { createApiKey } from './create-api-key.ts'
import { listApiKeys } from './list-api-keys.ts'
import { revokeApiKey } from './revoke-api-key.ts'

const ApiKey = builder.objectRef<ApiKeyRow>('ApiKey').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    /** The last characters of the key. */
    hint: t.exposeString('hint'),
    /** Whether it is the key of the product's own public pages, which cannot be revoked. */
    isOwn: t.boolean({ resolve: ({ created_by }) => created_by === null }),
    authorName: t.exposeString('author_name', { nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastUsedAt: t.expose('last_used_at', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revoked_at', { type: 'DateTime', nullable: true }),
  }),
})

const NewApiKey = builder.objectRef<{ key: string; apiKey: ApiKeyRow }>('NewApiKey').implement({
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Shown only once.' }),
    apiKey: t.field({ type: ApiKey, resolve: ({ apiKey }) => apiKey }),
  }),
})

builder.queryFields((t) => ({
  apiKeys: t.field({
    type: [ApiKey],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => listApiKeys(ctx),
  }),
}))

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    authScopes: { admin: true },
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => createApiKey(ctx, args),
  }),
  /** Returns the id of the key. */
  revokeApiKey: t.field({
    type: 'ID',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revokeApiKey(ctx, id),
  }),
}))
