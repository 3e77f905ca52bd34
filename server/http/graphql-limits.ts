import { type DocumentNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql'

const MAX = { depth: 10, fields: 300, rootFields: 10, aliases: 60 } as const

/** Refuses a document that asks for more than any screen does, before anything is resolved. */
export function assertModestDocument(document: DocumentNode): void {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
  let fields = 0
  let rootsLeft = 0
  let aliases = 0
  const refuse = (message: string) => {
    throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
  }
  const walk = (selections: SelectionSetNode, depth: number, inList = false) => {
    if (depth > MAX.depth) refuse('the query is too deep')
    for (const node of selections.selections) {
      if (node.kind === Kind.FIELD) {
        fields += 1
        if (depth === 1) rootsLeft -= 1
        if (rootsLeft < 0) refuse('the query has too many root fields')
        if (node.alias) aliases += 1
        if (fields > MAX.fields || aliases > MAX.aliases) refuse('the query asks for too many fields')
        // A page of pages: no screen shows one, and it costs a query a row.
        const isPage = node.name.value === 'nodes'
        if (isPage && inList) refuse('the query asks for lists within lists')
        if (node.selectionSet) walk(node.selectionSet, depth + 1, inList || isPage)
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        walk(node.selectionSet, depth, inList)
      } else {
        const fragment = fragments.get(node.name.value)
        if (fragment) walk(fragment.selectionSet, depth, inList)
      }
    }
  }
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue
    rootsLeft = node.operation === 'mutation' ? 1 : MAX.rootFields
    walk(node.selectionSet, 1)
  }
}
