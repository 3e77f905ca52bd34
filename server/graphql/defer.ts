import { DirectiveLocation, GraphQLBoolean, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql'

/** A part of a query that may come after the rest [7.8]: graphql 16 has no such directive of its own. */
export const deferDirective = new GraphQLDirective({
  name: 'defer',
  description: 'The answer need not wait for this fragment: it may come in a later part.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true },
    label: { type: GraphQLString },
  },
})
