import { DirectiveLocation, GraphQLBoolean, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql'

/**
 * `@defer`: a fragment whose data may come after the rest of the response [7.8]. graphql 16 does not define
 * it.
 */
export const deferDirective = new GraphQLDirective({
  name: 'defer',
  description: 'The response does not wait for this fragment: it may come in a later part.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: {
      description: 'False: the fragment comes with the first part.',
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
    },
    label: { description: 'Returned with the part.', type: GraphQLString },
  },
})
