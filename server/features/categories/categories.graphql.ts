import type { CategoryList } from '../../../shared/uploads/categories.ts'
import { builder, type Extensions } from '../../graphql/builder.ts'
import { countUploads } from './count-uploads.ts'
import { installCategoryTemplate } from './install-category-template.ts'
import { listCategories } from './list-categories.ts'
import { type CategoryMove, listCategoryMoves } from './move-category-uploads.ts'
import { saveCategories } from './save-categories.ts'

const CategoryUploads = builder.objectRef<{ slug: string; count: number }>('CategoryUploads').implement({
  authScopes: { admin: true },
  description: 'How many uploads have a slug, those in the bin included.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'With `::` between the levels.' }),
    count: t.exposeInt('count'),
  }),
})

const CategoryMoveRef = builder.objectRef<CategoryMove>('CategoryMove').implement({
  authScopes: { admin: true },
  description: 'The uploads of a slug that has left the list, on their way to its new slug.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'The former slug.' }),
    to: t.exposeString('to', { description: 'The new slug.' }),
    count: t.exposeInt('count', { description: 'How many uploads there were to move.' }),
    moved: t.exposeInt('moved', { description: 'How many of them have moved.' }),
  }),
})

/**
 * Returns the JSON string of a list as in the specification [7.10][7.11]; what it does not have, the version
 * and the redirects of former slugs, goes to the `extensions` of the response.
 */
function writeCategoryList({ tree, version, moved }: CategoryList, extensions?: Extensions): string {
  if (extensions) extensions.response.categories = { version, moved }
  return JSON.stringify({ tree })
}

builder.queryFields((t) => ({
  getCategories: t.field({
    description:
      'A JSON string: `{ "tree": […] }` with every category. The `extensions` of the response have `categories: { version, moved }`.',
    type: 'String',
    authScopes: { signedIn: true },
    resolve: async (_root, _args, ctx) => writeCategoryList(await listCategories(ctx), ctx.extensions),
  }),
  categoryUploads: t.field({
    description: 'How many uploads each slug has.',
    type: [CategoryUploads],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => countUploads(ctx),
  }),
  categoryMoves: t.field({
    description:
      'The moves of uploads that have not ended. Meanwhile former and new slug find the same uploads.',
    type: [CategoryMoveRef],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => listCategoryMoves(ctx),
  }),
}))

builder.mutationFields((t) => ({
  saveCategories: t.field({
    description:
      'Replaces the list of categories and returns the stored one as `getCategories` does. The `extensions` of the request may have `categories: { version, moves }`; fails with CONFLICT if the version is outdated, and with BAD_USER_INPUT for a slug whose uploads are still moving.',
    type: 'String',
    authScopes: { admin: true },
    args: {
      input: t.arg.string({
        description: 'A JSON string: the full flat list of categories.',
        required: true,
      }),
    },
    resolve: async (_root, { input }, ctx) => {
      const { extensions } = ctx
      return writeCategoryList(await saveCategories(ctx, input, extensions?.request.categories), extensions)
    },
  }),
  installCategoryTemplate: t.field({
    description:
      'Fills an empty list with the categories of a laboratory and imaging centre and returns it as `getCategories` does. Fails with CONFLICT if the list has other categories; does nothing if it has these.',
    type: 'String',
    authScopes: { admin: true },
    resolve: async (_root, _args, ctx) =>
      writeCategoryList(await installCategoryTemplate(ctx), ctx.extensions),
  }),
}))
