import { addressOf, type Place } from '../../../shared/access/places.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { builder } from '../../graphql/builder.ts'
import { Institution } from '../institutions/institutions.graphql.ts'
import { Patient, REASONS, SearchReason } from '../patients/patients.graphql.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { DEFAULT_RESULTS, SEARCH_KINDS, type SearchResults, searchSite } from './search-site.ts'

const SearchKind = builder.enumType('SearchKind', {
  description: 'What a search can find.',
  values: SEARCH_KINDS,
})

const SearchScreen = builder.objectRef<Place>('SearchScreen').implement({
  description: 'A screen that the reader may open.',
  fields: (t) => ({
    address: t.string({ description: 'Path and parameters.', resolve: addressOf }),
    title: t.exposeString('title'),
  }),
})

const SearchCategory = builder.objectRef<SearchResults['categories'][number]>('SearchCategory').implement({
  description: 'A category whose name matches.',
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug', { description: 'With `::` between the levels.' }),
    name: t.exposeString('name'),
    icon: t.exposeString('icon', {
      description: 'The name of the icon; no enum, since the client may send any.',
    }),
    color: t.exposeString('color', { description: 'Empty if it has none.' }),
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
    reasons: t.field({ description: REASONS, type: [SearchReason], resolve: ({ reasons }) => reasons }),
  }),
})

builder.queryFields((t) => ({
  search: t.field({
    description: 'Searches all that the reader may see. The reading is recorded.',
    type: Results,
    authScopes: { signedIn: true },
    args: {
      query: t.arg.string({ description: `At most ${LIMITS.searchText} characters.`, required: true }),
      kinds: t.arg({ description: 'All if omitted.', type: [SearchKind] }),
      first: t.arg.int({
        description: `The most matches of each kind: ${DEFAULT_RESULTS} if omitted, at most ${LIMITS.searchHits}.`,
      }),
    },
    resolve: (_root, args, ctx) => searchSite(ctx, args),
  }),
}))
