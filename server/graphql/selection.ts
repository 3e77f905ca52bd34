import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** By the nodes of a field, which a compiled document has once. */
const known = new WeakMap<readonly FieldNode[], Map<string, ReadonlySet<string>>>()

/**
 * Returns the names of the fields that a document selects in a field, or in its subfield at `path`, so that a verb reads only what
 * is shown. Includes those of fragments, and those that a variable may leave out.
 */
export function selectedFields({ fieldNodes, fragments }: Info, ...path: string[]): ReadonlySet<string> {
  const byPath = known.get(fieldNodes) ?? new Map<string, ReadonlySet<string>>()
  known.set(fieldNodes, byPath)
  const key = path.join('.')
  const found = byPath.get(key)
  if (found) return found
  const nodes = path.reduce(
    (parents, name) => subfields(parents, fragments).filter((field) => field.name.value === name),
    fieldNodes,
  )
  const names = new Set(subfields(nodes, fragments).map(({ name }) => name.value))
  names.delete('__typename')
  byPath.set(key, names)
  return names
}

const subfields = (nodes: readonly FieldNode[], fragments: Info['fragments']): readonly FieldNode[] =>
  nodes.flatMap(({ selectionSet }) => fieldsOf(selectionSet?.selections ?? [], fragments))

const fieldsOf = (selections: readonly SelectionNode[], fragments: Info['fragments']): FieldNode[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection
    const { selectionSet } =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value]! : selection
    return fieldsOf(selectionSet.selections, fragments)
  })
