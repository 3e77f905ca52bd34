import { z } from 'zod'
import { CATEGORY_ICONS, parentSlug, SLUG_PATTERN } from '../../../shared/categories.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { invalid } from '../../errors.ts'
import { requiredText } from '../../validation.ts'

/** Sentences told at once: a list that is wrong throughout is wrong in one way. */
const TOLD = 5

const UNREADABLE = 'Lista categoriilor nu poate fi citită.'

/** What a draft leaves empty may be missing, null or an empty text [4.9]. */
const orEmpty = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? '', schema)

/** What the colour picker writes: hex, rgba, hsla [3.8]; empty where there is none yet. */
const COLOUR =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|rgba?\([\d\s.,/%]{5,40}\)|hsla?\([\d\s.,/%a-z]{5,40}\))?$/i

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
  },
  'O categorie are nume și slug.',
)

const list = z.object(
  {
    tree: z
      .array(category, 'Lista categoriilor lipsește.')
      .max(LIMITS.categories, `Pot fi cel mult ${LIMITS.categories} de categorii.`)
      .superRefine((categories, ctx) => {
        const slugs = new Set(categories.map(({ slug }) => slug))
        const seen = new Set<string>()
        for (const [place, { slug }] of categories.entries()) {
          const refuse = (message: string) => ctx.addIssue({ code: 'custom', path: [place, 'slug'], message })
          const parent = parentSlug(slug)
          if (seen.has(slug)) refuse(`Slugul „${slug}” apare de mai multe ori.`)
          if (parent !== null && !slugs.has(parent)) refuse(`Lipsește categoria „${parent}”, de care ține.`)
          seen.add(slug)
        }
      }),
    version: z.int('Versiunea este un număr întreg.').nullish(),
  },
  UNREADABLE,
)

/**
 * Reads the JSON string of saveCategories: the flat list alone, as the specification has it [7.11], or `{ tree, version }`.
 * Throws BAD_USER_INPUT with each place by name (`tree.3.slug`). What a category has beyond its five properties is dropped;
 * so is the id, see saveCategories.
 */
export function readCategoryInput(input: string) {
  const value = parseJson(input)
  const parsed = list.safeParse(Array.isArray(value) ? { tree: value } : value)
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.slice(0, TOLD).map(({ path, message }) => ({
        field: path.join('.') || 'input',
        message: typeof path[1] === 'number' ? `Categoria nr. ${path[1] + 1}: ${message}` : message,
      })),
    )
  }
  const { tree, version = null } = parsed.data
  return { tree: tree.map(({ name, slug, icon, color }) => ({ name, slug, icon, color })), version }
}

/** Names that no list has, and that careless code takes for more than names. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function parseJson(input: string): unknown {
  const found = { refusedKey: false }
  try {
    const value: unknown = JSON.parse(input, (key, value) => {
      if (REFUSED_KEYS.has(key)) found.refusedKey = true
      return value
    })
    if (!found.refusedKey) return value
  } catch {
    // Not JSON, or nested deeper than can be walked.
  }
  throw invalid([{ field: 'input', message: UNREADABLE }])
}
