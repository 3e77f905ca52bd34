import { addressOf, type Place } from '../../../shared/access/places.ts'
import { builder } from '../../graphql/builder.ts'
import { Institution } from '../institutions/institutions.graphql.ts'
import { Patient } from '../patients/patients.graphql.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { SEARCH_KINDS, type SearchResults, searchSite } from './search-site.ts'

const SearchKind = builder.enumType('SearchKind', { values: SEARCH_KINDS })

const SearchScreen = builder.objectRef<Place>('SearchScreen').implement({
  fields: (t) => ({ address: t.string({ resolve: addressOf }), title: t.exposeString('title') }),
})

const SearchCategory = builder.objectRef<SearchResults['categories'][number]>('SearchCategory').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug'),
    name: t.exposeString('name'),
    icon: t.exposeString('icon'),
    color: t.exposeString('color'),
  }),
})

const Results = builder.objectRef<SearchResults>('SearchResults').implement({
  description: 'The matches of each kind; a kind that was not requested is empty.',
  fields: (t) => ({
    patients: t.field({ type: [Patient], resolve: ({ patients }) => patients }),
    institutions: t.field({ type: [Institution], resolve: ({ institutions }) => institutions }),
    uploads: t.field({ type: [Upload], resolve: ({ uploads }) => uploads }),
    categories: t.field({ type: [SearchCategory], resolve: ({ categories }) => categories }),
    screens: t.field({ type: [SearchScreen], resolve: ({ screens }) => screens }),
  }),
})

builder.queryFields((t) => ({
  search: t.field({
    type: Results,
    authScopes: { signedIn: true },
    args: {
      query: t.arg.string({ required: true }),
      kinds: t.arg({ type: [SearchKind] }),
      first: t.arg.int(),
    },
    resolve: (_root, args, ctx) => searchSite(ctx, args),
  }),
}))
