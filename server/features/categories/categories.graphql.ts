import { builder } from '../../graphql/builder.ts'
import { countUploads } from './count-uploads.ts'
import { listCategories } from './list-categories.ts'
import { saveCategories } from './save-categories.ts'

const CategoryUploads = builder.objectRef<{ slug: string; count: number }>('CategoryUploads').implement({
  description: 'How many uploads have a slug, those in the bin included.',
  fields: (t) => ({ slug: t.exposeString('slug'), count: t.exposeInt('count') }),
})

builder.queryFields((t) => ({
  getCategories: t.field({
    type: 'String',
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listCategories(ctx),
  }),
  categoryUploads: t.field({
    type: [CategoryUploads],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => countUploads(ctx),
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
