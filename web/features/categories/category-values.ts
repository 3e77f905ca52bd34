import { foldText } from '../../../shared/romania/names.ts'
import {
  type Category,
  type CategoryIconName,
  isUnder,
  joinSlug,
  parentSlug,
} from '../../../shared/uploads/categories.ts'
import {
  type CategoryPolicy,
  mapPolicy,
  POLICY_FIELDS,
  POLICY_PROPERTIES,
  type PolicyField,
  type PolicyProperty,
} from '../../../shared/uploads/category-policy.ts'
import { lastPart } from './category-edits.ts'

/** A property of the policy in the form: numbers are texts, empty for null. */
type PolicyValue<Value> = [Value] extends [boolean]
  ? boolean
  : null extends Value
    ? string
    : Value extends string | number
      ? `${Value}`
      : never

/** The values of the form of a category. */
export type CategoryValues = {
  name: string
  /** The last part of the slug; the parent is changed in the tree. */
  part: string
  icon: CategoryIconName | ''
  color: string
} & { [Property in PolicyProperty]: PolicyValue<CategoryPolicy[Property]> }

export const readValues = (category: Category): CategoryValues =>
  ({
    name: category.name,
    part: lastPart(category.slug),
    icon: category.icon,
    color: category.color,
    ...Object.fromEntries(
      POLICY_PROPERTIES.map((property) => {
        const value = category[property]
        return [property, typeof value === 'boolean' ? value : String(value ?? '')]
      }),
    ),
  }) as CategoryValues

/** Returns the form's values as a category with the parent of that slug. */
export const writeValues = (values: CategoryValues, slug: string): Omit<Category, 'id'> => ({
  name: values.name.trim(),
  slug: joinSlug(parentSlug(slug), values.part.trim()),
  icon: values.icon,
  color: values.color,
  ...mapPolicy((property) => parseValue(POLICY_FIELDS[property], values[property])),
  ...(values.release !== 'after_hours' && { releaseHours: null }),
})

function parseValue<Value>({ values }: PolicyField<Value>, value: string | boolean): Value {
  if (values.kind === 'flag') return value as Value
  const text = String(value).trim()
  if (values.kind === 'count') return (text === '' ? null : Number(text)) as Value
  return [...values.names.keys()].find((each) => String(each) === text)!
}

/** Returns the last part of a slug for a name: `Funcție hepatică` becomes `functie-hepatica`. */
export const proposePart = (name: string): string =>
  foldText(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** Returns the number of uploads of the slug and its descendants. */
export const countBelow = (counts: ReadonlyMap<string, number>, slug: string): number =>
  [...counts].reduce((sum, [each, count]) => (each === slug || isUnder(each, slug) ? sum + count : sum), 0)
