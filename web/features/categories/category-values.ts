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

/** What the form of a category holds. */
export type CategoryValues = {
  name: string
  /** Its own part of the slug; where it stands is changed in the tree. */
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

/** What the form says, as the category of that slug has it. */
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

/** A slug's part for a name: `Funcție hepatică` is `functie-hepatica`. */
export const proposePart = (name: string): string =>
  foldText(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** How many of the uploads stand under the slug or below it. */
export const countBelow = (counts: ReadonlyMap<string, number>, slug: string): number =>
  [...counts].reduce((sum, [each, count]) => (each === slug || isUnder(each, slug) ? sum + count : sum), 0)
