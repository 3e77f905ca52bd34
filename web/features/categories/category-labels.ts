import { counted } from '../../../shared/romania/romanian.ts'
import { type Category, parentSlug } from '../../../shared/uploads/categories.ts'
import {
  type CategoryPolicy,
  POLICY_FIELDS,
  POLICY_PROPERTIES,
  type PolicyField,
  type PolicyProperty,
} from '../../../shared/uploads/category-policy.ts'
import { childrenOf } from './category-edits.ts'
import type { Merge } from './merge/category-merge.ts'
import type { CategoryProperty, Differences } from './merge/category-properties.ts'

/** The names of the properties in a sentence. */
export const PROPERTY_NAMES = {
  name: 'numele',
  parent: 'locul în arbore',
  part: 'slugul',
  icon: 'pictograma',
  color: 'culoarea',
  ...Object.fromEntries(POLICY_PROPERTIES.map((property) => [property, POLICY_FIELDS[property].name])),
} as Record<CategoryProperty, string>

const list = new Intl.ListFormat('ro')

export const uploadCount = (count: number): string => counted(count, 'încărcare', 'încărcări')

/** Returns the announcement of a category's place: `„RMN” este acum a 2-a din 4 sub „Imagistică”.` */
export function describePlace(list: readonly Category[], { name, slug }: Category): string {
  const parent = parentSlug(slug)
  const siblings = childrenOf(list, parent)
  const position = siblings.findIndex((each) => each.slug === slug) + 1
  const where = list.find((each) => each.slug === parent)?.name
  const ordinal = position === 1 ? 'prima' : `a ${position}-a`
  return `„${name}” este acum ${ordinal} din ${siblings.length} ${where ? `sub „${where}”` : 'pe primul nivel'}.`
}

/** Returns the value of a property as text, for a user to compare two versions. */
export function describeProperty(category: Category, property: CategoryProperty): string {
  if (property === 'parent' || property === 'part') return category.slug
  if (property === 'name' || property === 'icon' || property === 'color')
    return category[property] || 'niciuna'
  if (property === 'release' && category.release === 'after_hours')
    return `după ${listPolicyLabelsValue(category, 'releaseHours')}`
  return listPolicyLabelsValue(category, property)
}

function listPolicyLabelsValue(policy: CategoryPolicy, property: PolicyProperty): string {
  const { values }: PolicyField = POLICY_FIELDS[property]
  const value = policy[property]
  if (values.kind === 'flag') return value ? 'da' : 'nu'
  if (values.kind === 'choice') return values.names.get(value) ?? ''
  return value === null ? values.none : counted(Number(value), ...values.unit)
}

const names = (categories: readonly Category[]) => list.format(categories.map(({ name }) => `„${name}”`))

/** Returns the changes between two lists, a line each: `Adăugate: „RMN” și „CT”`. */
export function describeDifferences({ added, removed, changed, isReordered }: Differences): string[] {
  return [
    added.length > 0 && `Adăugate: ${names(added)}`,
    removed.length > 0 && `Șterse: ${names(removed)}`,
    ...changed.map(
      ({ category, properties }) =>
        `„${category.name}”: ${list.format(properties.map((property) => PROPERTY_NAMES[property]))}`,
    ),
    isReordered && 'Ordinea',
  ].filter((line) => line !== false)
}

/** Returns the adjustments that a merge needed, a line each. */
export function describeMerge({ keptParents, untied, renumbered }: Merge): string[] {
  return [
    keptParents.length > 0 && `Rămân, fiindcă au primit altceva sub ele: ${names(keptParents)}`,
    untied.length > 0 && `Rămân unde le-a pus celălalt: ${names(untied)}`,
    renumbered.length > 0 &&
      `Au alt slug, fiindcă al lor era luat: ${list.format(renumbered.map(({ name, slug }) => `„${name}” (${slug})`))}`,
  ].filter((line) => line !== false)
}
