import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import {
  CATEGORY_ICONS,
  type CategoryProperties,
  parentSlug,
  SLUG_PATTERN,
  type SlugMoves,
} from '../../../shared/uploads/categories.ts'
import {
  type CategoryPolicy,
  POLICY_FIELDS,
  POLICY_PROPERTIES,
  type PolicyField,
  type PolicyProperty,
} from '../../../shared/uploads/category-policy.ts'
import { invalid } from '../../errors.ts'
import { requiredText } from '../../validation.ts'

/** Errors listed in one response; a list that is wrong throughout usually has one kind of error. */
const MAX_ERRORS_LISTED = 5

const UNREADABLE = 'Lista categoriilor nu poate fi citită.'

/** Reads a missing or null value as an empty text, as the id, icon and colour of a new category are [4.9]. */
const orEmpty = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? '', schema)

/** What the colour picker writes: hex, rgba, hsla [3.8]; empty for a category without a colour. */
const COLOUR =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|rgba?\([\d\s.,/%]{5,40}\)|hsla?\([\d\s.,/%a-z]{5,40}\))?$/i

/** Returns the schema of a property's values, with one message for all errors. */
function policySchema({ name, values }: PolicyField) {
  const subject = name.charAt(0).toLocaleUpperCase('ro') + name.slice(1)
  if (values.kind === 'flag') return z.boolean(`${subject} se spune cu true sau false.`)
  if (values.kind === 'choice') {
    const allowed = [...values.names.keys()]
    return z.literal(
      allowed,
      `${subject} este ${new Intl.ListFormat('ro', { type: 'disjunction' }).format(allowed.map(String))}.`,
    )
  }
  const { min, max } = values
  const message = `${subject}: un număr întreg între ${min} și ${max}, sau null.`
  return z.int(message).min(min, message).max(max, message).nullable()
}

/** Properties that the specification's list does not have; each may be missing. */
const policy = Object.fromEntries(
  POLICY_PROPERTIES.map((property) => [property, policySchema(POLICY_FIELDS[property]).optional()]),
) as unknown as { [Property in PolicyProperty]: z.ZodOptional<z.ZodType<CategoryPolicy[Property]>> }

const category = z.object(
  {
    id: orEmpty(z.guid('Id-ul este un UUID sau lipsește.').or(z.literal(''))),
    name: requiredText('Numele'),
    slug: z
      .string('Slugul este necesar.')
      .max(LIMITS.shortText, `Slugul poate avea cel mult ${LIMITS.shortText} de caractere.`)
      .regex(
        SLUG_PATTERN,
        'Slugul are litere mici fără diacritice, cifre și liniuțe, iar nivelurile se despart prin „::”.',
      ),
    icon: orEmpty(z.enum(['', ...CATEGORY_ICONS], 'Pictograma nu este dintre cele cunoscute.')),
    color: orEmpty(
      z.string('Culoarea este un text.').regex(COLOUR, 'Culoarea se scrie ca #rrggbb, rgba(…) sau hsla(…).'),
    ),
    ...policy,
  },
  'O categorie are nume și slug.',
)

const list = z
  .array(category, UNREADABLE)
  .max(LIMITS.categories, `Pot fi cel mult ${LIMITS.categories} de categorii.`)
  .superRefine((categories, ctx) => {
    const slugs = new Set(categories.map(({ slug }) => slug))
    const seen = new Set<string>()
    for (const [index, { slug }] of categories.entries()) {
      const reject = (message: string) => ctx.addIssue({ code: 'custom', path: [index, 'slug'], message })
      const parent = parentSlug(slug)
      if (seen.has(slug)) reject(`Slugul „${slug}” apare de mai multe ori.`)
      if (parent !== null && !slugs.has(parent)) reject(`Lipsește categoria „${parent}”, de care ține.`)
      seen.add(slug)
    }
    for (const [index, { release, releaseHours }] of categories.entries()) {
      const hasHours = (releaseHours ?? null) !== null
      if (hasHours === (release === 'after_hours')) continue
      const message = hasHours
        ? 'Orele se spun numai la eliberarea after_hours.'
        : 'La eliberarea after_hours se spune după câte ore.'
      ctx.addIssue({ code: 'custom', path: [index, 'releaseHours'], message })
    }
  })

const details = z.object(
  {
    moves: z
      .record(z.string(), z.string('Noul slug este un text.'), 'Mutările leagă un slug vechi de unul nou.')
      .default({}),
    version: z.int('Versiunea este un număr întreg.').nullish(),
  },
  UNREADABLE,
)

const request = z.object({ input: list, details: details.nullish() })

/** A category as sent by a client; missing policy properties keep their saved values. */
export type SentCategory = CategoryProperties & { policy: Partial<CategoryPolicy> }

/**
 * Reads the JSON string of saveCategories, the flat list [7.11], and its details, `{ version, moves }`, each of
 * which may be missing. Throws BAD_USER_INPUT with the path of each error (`input.3.slug`, `moves.slug-vechi`).
 * Drops unknown properties of a category and its id, see saveCategories.
 */
export function readCategoryInput(input: string, details: unknown) {
  const parsed = request.safeParse({ input: parseJson(input), details })
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.slice(0, MAX_ERRORS_LISTED).map(({ path, message }) => ({
        field: path
          .join('.')
          .replace(/^details$/, 'extensions.categories')
          .replace(/^details\./, ''),
        message: typeof path[1] === 'number' ? `Categoria nr. ${path[1] + 1}: ${message}` : message,
      })),
    )
  }
  const { version = null, moves = {} } = parsed.data.details ?? {}
  const tree = parsed.data.input.map(
    ({ id: _, name, slug, icon, color, release, releaseHours = null, ...policy }): SentCategory => ({
      name,
      slug,
      icon,
      color,
      // The hours have no meaning without the kind of release.
      policy: { ...policy, ...(release && { release, releaseHours }) } as Partial<CategoryPolicy>,
    }),
  )
  checkMoves(moves, new Set(tree.map(({ slug }) => slug)))
  return { tree, version, moves }
}

/**
 * Requires that each move leads from a slug that leaves the list to one that stays, which excludes chains and
 * cycles.
 */
function checkMoves(moves: SlugMoves, staying: ReadonlySet<string>): void {
  const errors = Object.entries(moves).flatMap(([from, to]) => {
    const message = explainMove(from, to, moves, staying)
    return message ? [{ field: `moves.${from}`, message }] : []
  })
  if (errors.length > 0) throw invalid(errors.slice(0, MAX_ERRORS_LISTED))
}

function explainMove(
  from: string,
  to: string,
  moves: SlugMoves,
  staying: ReadonlySet<string>,
): string | null {
  if (staying.has(from))
    return `Slugul „${from}” rămâne în listă, așa că încărcările lui nu pot fi mutate la „${to}”.`
  if (Object.hasOwn(moves, to))
    return `Încărcările din „${from}” nu pot merge la „${to}”, care se mută și el. Spune direct unde ajung.`
  if (!staying.has(to))
    return `Încărcările din „${from}” nu pot merge la „${to}”, care nu este în noua listă.`
  return null
}

/** Keys that no list has and that could change an object's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function parseJson(input: string): unknown {
  const found = { forbiddenKey: false }
  try {
    const value: unknown = JSON.parse(input, (key, value) => {
      if (FORBIDDEN_KEYS.has(key)) found.forbiddenKey = true
      return value
    })
    if (!found.forbiddenKey) return value
  } catch {
    // Not JSON, or nested too deeply.
  }
  throw invalid([{ field: 'input', message: UNREADABLE }])
}
