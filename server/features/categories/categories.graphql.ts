import { builder } from '../../graphql/builder.ts'
import { listCategories } from './list-categories.ts'

builder.queryFields((t) => ({
  getCategories: t.field({
    type: 'String',
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listCategories(ctx),
  }),
}))
