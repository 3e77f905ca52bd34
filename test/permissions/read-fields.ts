import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'

/** Fields that are empty here for both readers: nothing of the kind exists, or only for another user. */
export const EMPTY_HERE = new Set([
  'Institution.suspendedAt',
  'InstitutionUser.invitationExpiresAt',
  // Of an upload that its institution sees, never filled.
  'Upload.draftFacts',
  'Upload.fileChecks',
  // For users of institutions alone.
  'Upload.inbox',
  'Upload.notShown',
  'Upload.openedAt',
  'Upload.transfers',
  'Upload.sentBy',
  'Upload.undoUntil',
  // Not read below: its uploads are read as `Upload`. An institution that got one would read a type for staff.
  'Patient.shares',
  // Empty for staff.
  'Patient.underWay',
  'ExaminationUnderWay.filedOn',
  'ExaminationUnderWay.categoryName',
])

const PARTS = 4

/** Returns selections that together have every field of the type: a document may have no more than some hundreds. */
export function selectInParts(type: GraphQLObjectType): string[] {
  const names = Object.keys(type.getFields())
  const size = Math.ceil(names.length / PARTS)
  return Array.from({ length: PARTS }, (_, at) => names.slice(at * size, (at + 1) * size)).map((part) =>
    selectAll(type, 0, new Set(part)),
  )
}

/** Selects every field of the type, or these, and of the types below it; of a page only the ids. */
function selectAll(type: GraphQLObjectType, depth = 0, only?: ReadonlySet<string>): string {
  const select = (field: GraphQLField<unknown, unknown>): string => {
    const of = getNamedType(field.type)
    if (isLeafType(of)) return field.name
    if (of.name.endsWith('Page')) return `${field.name} { nodes { id } }`
    // Below an empty list nothing is read.
    const below = EMPTY_HERE.has(`${type.name}.${field.name}`) ? 2 : depth + 1
    return depth < 2 ? `${field.name} ${selectAll(of as GraphQLObjectType, below)}` : ''
  }
  const fields = Object.values(type.getFields()).filter(({ name }) => !only || only.has(name))
  return `{ ${fields.map(select).join(' ')} }`
}

/** Returns the fields of the answer that have a value, as `Type.field`. */
export function filledFields(type: GraphQLObjectType, value: Record<string, unknown>): string[] {
  return Object.entries(value).flatMap(([name, found]) => {
    const of = getNamedType(type.getFields()[name]!.type)
    const values = [found].flat().filter((each) => each !== null)
    if (values.length === 0) return []
    const below =
      isObjectType(of) && !of.name.endsWith('Page')
        ? values.flatMap((each) => filledFields(of, each as Record<string, unknown>))
        : []
    return [`${type.name}.${name}`, ...below]
  })
}
