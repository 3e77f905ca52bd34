import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'

/** Fields that are empty here for both readers: nothing of the kind exists, or only for another user. */
export const EMPTY_HERE = new Set([
  'Institution.suspendedAt',
  'InstitutionUser.invitationExpiresAt',
  // Of an upload that its institution sees, never filled.
  'Upload.draftFacts',
  'Upload.fileChecks',
  'Upload.notShown',
  'Upload.openedAt',
  'Upload.transfers',
  'Upload.sentBy',
  'Upload.undoUntil',
  // Empty for staff.
  'Patient.underWay',
  'ExaminationUnderWay.filedOn',
  'ExaminationUnderWay.categoryName',
])

/** Selects every field of the type, and of the types below it; of a page only the ids. */
export function selectAll(type: GraphQLObjectType, depth = 0): string {
  const select = (field: GraphQLField<unknown, unknown>): string => {
    const of = getNamedType(field.type)
    if (isLeafType(of)) return field.name
    if (of.name.endsWith('Page')) return `${field.name} { nodes { id } }`
    // Below an empty list nothing is read.
    const below = EMPTY_HERE.has(`${type.name}.${field.name}`) ? 2 : depth + 1
    return depth < 2 ? `${field.name} ${selectAll(of as GraphQLObjectType, below)}` : ''
  }
  return `{ ${Object.values(type.getFields()).map(select).join(' ')} }`
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
