import { builder } from '../../graphql/builder.ts'
import { countUploads } from './count-uploads.ts'
import { listCategories } from './list-categories.ts'
import { saveCategories } from './save-categories.ts'

const CategoryUploads = builder.objectRef<{ slug: string; count: number }>('CategoryUploads').implement({
  description: 'How many uploads have a slug, those in the bin included.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'With `::` between the levels.' }),
    count: t.exposeInt('count'),
  }),
})

builder.queryFields((t) => ({
  getCategories: t.field({
    description: 'A JSON string: `{ "tree": […] }` with every category.',
    type: 'String',
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listCategories(ctx),
  }),
  categoryUploads: t.field({
    description: 'How many uploads each slug has.',
    type: [CategoryUploads],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => countUploads(ctx),
  }),
}))

builder.mutationFields((t) => ({
  saveCategories: t.field({
    description:
      'Replaces the list of categories and returns the stored one as `getCategories` does. Fails with CONFLICT if the request states an outdated version.',
    type: 'String',
    authScopes: { admin: true },
    args: {
      input: t.arg.string({
        description: 'A JSON string: the full flat list of categories.',
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => saveCategories(ctx, input),
  }),
}))
