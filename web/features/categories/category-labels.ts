import { counted } from '../../../shared/romania/romanian.ts'
import {
  type Category,
  type CategoryPolicy,
  parentSlug,
  type Release,
} from '../../../shared/uploads/categories.ts'
import { childrenOf } from './category-edits.ts'
import type { Merge } from './merge/category-merge.ts'
import type { CategoryProperty, Differences } from './merge/category-properties.ts'

export const RELEASE_NAMES: Record<Release, string> = {
  at_once: 'Imediat',
  after_hours: 'După câteva ore',
  by_hand: 'Manual',
}

export const PROPERTY_NAMES: Record<CategoryProperty, string> = {
  name: 'numele',
  parent: 'locul în arbore',
  part: 'slugul',
  icon: 'pictograma',
  color: 'culoarea',
  reviewRequired: 'verificarea',
  reviewers: 'câți verifică',
  release: 'eliberarea',
  visibleToPatients: 'vizibilitatea pentru pacienți',
  retentionYears: 'păstrarea',
}

const list = new Intl.ListFormat('ro')

export const uploadCount = (count: number): string => counted(count, 'încărcare', 'încărcări')

/** Returns the policies that differ from the defaults, in a few words each. */
export function listPolicyLabels(policy: CategoryPolicy): string[] {
  const { reviewRequired, reviewers, release, releaseHours, visibleToPatients, retentionYears } = policy
  return [
    !reviewRequired && 'fără verificare',
    reviewRequired && reviewers === 2 && 'doi verificatori',
    release === 'after_hours' && `eliberare după ${counted(releaseHours ?? 0, 'oră', 'ore')}`,
    release === 'by_hand' && 'eliberare manuală',
    !visibleToPatients && 'ascunsă pacienților',
    retentionYears !== null && `păstrată ${counted(retentionYears, 'an', 'ani')}`,
  ].filter((text) => text !== false)
}

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
  if (property === 'release')
    return category.release === 'after_hours'
      ? `după ${counted(category.releaseHours ?? 0, 'oră', 'ore')}`
      : RELEASE_NAMES[category.release]
  if (property === 'retentionYears')
    return category.retentionYears === null ? 'fără termen' : counted(category.retentionYears, 'an', 'ani')
  const value = category[property]
  return typeof value === 'boolean' ? (value ? 'da' : 'nu') : String(value) || 'niciuna'
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
