import { counted } from '../romania/romanian.ts'

/** When accepted uploads are released to the institution, the earliest first. */
export const RELEASES = ['at_once', 'after_hours', 'by_hand'] as const
export type Release = (typeof RELEASES)[number]

export const RELEASE_NAMES: Record<Release, string> = {
  at_once: 'Imediat',
  after_hours: 'După câteva ore',
  by_hand: 'Manual',
}

export const REVIEWER_NAMES: ReadonlyMap<1 | 2, string> = new Map([
  [1, 'O persoană'],
  [2, 'Două persoane'],
])

export const POLICY_BOUNDS = {
  releaseHours: { min: 1, max: 720 },
  retentionYears: { min: 1, max: 100 },
} as const

/** How the uploads of a category are handled. */
export type CategoryPolicy = {
  /** If false, an upload whose files confirm its patient is accepted automatically. */
  reviewRequired: boolean
  /** How many different people must accept an upload. */
  reviewers: 1 | 2
  release: Release
  /** Only with `after_hours`, else null. */
  releaseHours: number | null
  visibleToPatients: boolean
  /** Null: kept forever, for any retention of the site. */
  retentionYears: number | null
}
export type PolicyProperty = keyof CategoryPolicy

export type PolicyField<Value = CategoryPolicy[PolicyProperty]> = {
  /** The property in a sentence: `verificarea`. */
  name: string
  default: Value
  /** What its values are: yes or no, one of a few with their names, or a whole number or null. */
  values:
    | { kind: 'flag' }
    | { kind: 'choice'; names: ReadonlyMap<Value, string> }
    | { kind: 'count'; min: number; max: number; unit: readonly [one: string, many: string]; none: string }
  /** Returns in a few words what a policy changes of the default; null if it changes nothing. */
  describe: (policy: CategoryPolicy) => string | null
  /** Returns a number that is greater for a stricter policy: reviewed more, released later, kept longer. */
  strictness: (policy: CategoryPolicy) => number
}

const releaseStrictness = ({ release, releaseHours }: CategoryPolicy): number =>
  RELEASES.indexOf(release) * (POLICY_BOUNDS.releaseHours.max + 1) + (releaseHours ?? 0)

/**
 * Every property of a policy, in the order in which it is described. Server and browser read it to validate,
 * store, compare, merge and describe categories.
 */
export const POLICY_FIELDS: { [Property in PolicyProperty]: PolicyField<CategoryPolicy[Property]> } = {
  reviewRequired: {
    name: 'verificarea',
    default: true,
    values: { kind: 'flag' },
    describe: ({ reviewRequired }) => (reviewRequired ? null : 'fără verificare'),
    strictness: ({ reviewRequired }) => Number(reviewRequired),
  },
  reviewers: {
    name: 'numărul verificatorilor',
    default: 1,
    values: { kind: 'choice', names: REVIEWER_NAMES },
    describe: ({ reviewers }) => (reviewers === 2 ? 'doi verificatori' : null),
    strictness: ({ reviewers }) => reviewers,
  },
  release: {
    name: 'eliberarea',
    default: 'at_once',
    values: { kind: 'choice', names: new Map(RELEASES.map((release) => [release, RELEASE_NAMES[release]])) },
    describe: ({ release, releaseHours }) => {
      if (release === 'at_once') return null
      return release === 'by_hand'
        ? 'eliberare manuală'
        : `eliberare după ${counted(releaseHours ?? 0, 'oră', 'ore')}`
    },
    strictness: releaseStrictness,
  },
  releaseHours: {
    name: 'numărul orelor până la eliberare',
    default: null,
    values: { kind: 'count', ...POLICY_BOUNDS.releaseHours, unit: ['oră', 'ore'], none: 'fără' },
    describe: () => null,
    strictness: releaseStrictness,
  },
  visibleToPatients: {
    name: 'vizibilitatea pentru pacienți',
    default: true,
    values: { kind: 'flag' },
    describe: ({ visibleToPatients }) => (visibleToPatients ? null : 'ascunsă pacienților'),
    strictness: ({ visibleToPatients }) => Number(!visibleToPatients),
  },
  retentionYears: {
    name: 'păstrarea',
    default: null,
    values: { kind: 'count', ...POLICY_BOUNDS.retentionYears, unit: ['an', 'ani'], none: 'fără termen' },
    describe: ({ retentionYears }) =>
      retentionYears === null ? null : `păstrată ${counted(retentionYears, 'an', 'ani')}`,
    strictness: ({ retentionYears }) => retentionYears ?? Number.POSITIVE_INFINITY,
  },
}

export const POLICY_PROPERTIES = Object.keys(POLICY_FIELDS) as readonly PolicyProperty[]

/** Returns the policy that has, for each property, the value that `toValue` returns. */
export const mapPolicy = (
  toValue: <Property extends PolicyProperty>(property: Property) => CategoryPolicy[Property],
): CategoryPolicy =>
  Object.fromEntries(
    POLICY_PROPERTIES.map((property) => [property, toValue(property)]),
  ) as unknown as CategoryPolicy

export const DEFAULT_POLICY: CategoryPolicy = mapPolicy((property) => POLICY_FIELDS[property].default)

/** Returns what differs from the default policy, in a few words each. */
export const listPolicyLabels = (policy: CategoryPolicy): string[] =>
  POLICY_PROPERTIES.flatMap((property) => POLICY_FIELDS[property].describe(policy) ?? [])
