import { builder } from '../../graphql/builder.ts'
import { listCategories } from './list-categories.ts'
import { saveCategories } from './save-categories.ts'

builder.queryFields((t) => ({
  getCategories: t.field({
    type: 'String',
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listCategories(ctx),
  }),
}))

builder.mutationFields((t) => ({
  saveCategories: t.field({
    type: 'String',
    authScopes: { admin: true },
    args: { input: t.arg.string({ required: true }) },
    resolve: (_root, { input }, ctx) => saveCategories(ctx, input),
  }),
}))
