import { foldText } from '../../../shared/romania/names.ts'
import {
  type Category,
  type CategoryIconName,
  isUnder,
  joinSlug,
  parentSlug,
  type Release,
} from '../../../shared/uploads/categories.ts'
import { lastPart } from './category-edits.ts'

/** The values of the form of a category. */
export type CategoryValues = {
  name: string
  /** The last part of the slug; the parent is changed in the tree. */
  part: string
  icon: CategoryIconName | ''
  color: string
  reviewRequired: boolean
  reviewers: '1' | '2'
  release: Release
  releaseHours: string
  visibleToPatients: boolean
  retentionYears: string
}

export const readValues = (category: Category): CategoryValues => ({
  name: category.name,
  part: lastPart(category.slug),
  icon: category.icon as CategoryIconName | '',
  color: category.color,
  reviewRequired: category.reviewRequired,
  reviewers: category.reviewers === 2 ? '2' : '1',
  release: category.release,
  releaseHours: category.releaseHours === null ? '' : String(category.releaseHours),
  visibleToPatients: category.visibleToPatients,
  retentionYears: category.retentionYears === null ? '' : String(category.retentionYears),
})

/** Returns the form's values as a category with the parent of that slug. */
export const writeValues = (values: CategoryValues, slug: string): Omit<Category, 'id'> => ({
  name: values.name.trim(),
  slug: joinSlug(parentSlug(slug), values.part.trim()),
  icon: values.icon,
  color: values.color,
  reviewRequired: values.reviewRequired,
  reviewers: values.reviewers === '2' ? 2 : 1,
  release: values.release,
  releaseHours: values.release === 'after_hours' ? Number(values.releaseHours) : null,
  visibleToPatients: values.visibleToPatients,
  retentionYears: values.retentionYears.trim() === '' ? null : Number(values.retentionYears),
})

/** Returns the last part of a slug for a name: `Funcție hepatică` becomes `functie-hepatica`. */
export const proposePart = (name: string): string =>
  foldText(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** Returns the number of uploads of the slug and its descendants. */
export const countBelow = (counts: ReadonlyMap<string, number>, slug: string): number =>
  [...counts].reduce((sum, [each, count]) => (each === slug || isUnder(each, slug) ? sum + count : sum), 0)
