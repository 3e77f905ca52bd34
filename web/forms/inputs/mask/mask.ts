import { type MaskitoOptions, type MaskitoPreprocessor, maskitoTransform } from '@maskito/core'

/** One character of a mask: a literal that the mask inserts, or a character that is typed. */
type Token = string | { accepts: RegExp; isUpper: boolean; isSlot: boolean }
type Variant = readonly Token[]

/** A mask, as parsed by `parseMask`. */
export interface Mask {
  /** The mask with and without each of its optional parts, the shortest variant first. */
  variants: readonly Variant[]
  options: MaskitoOptions
}

export interface Masked {
  /** The text of the field: the typed characters with the literals between them. */
  shown: string
  /** The characters of the slots, without literals. */
  bare: string
  /** Whether all slots are filled, except those of optional parts. */
  isComplete: boolean
}

// Without characters outside the Basic Multilingual Plane: they are two characters of a text.
const LETTER = /^(?![\u{10000}-\u{10FFFF}])\p{L}$/u
const LETTER_OR_DIGIT = /^(?![\u{10000}-\u{10FFFF}])[\p{L}\d]$/u
/** What a letter or digit weighs: more than all signs of a text. */
const CHARACTER_WEIGHT = 1_000
const SLOTS: Record<string, RegExp> = { '#': /^\d$/, a: LETTER, A: LETTER, '*': LETTER_OR_DIGIT }

/**
 * Parses a pattern: `#` a digit, `a` a letter, `A` a letter converted to upper case, `*` a letter or digit,
 * `[…]` an optional part, which may be nested, `\` escapes the next character; every other character is a
 * literal. `read` normalises a text before it is masked. Throws a RangeError for unbalanced brackets and for
 * a trailing `\`.
 */
export function parseMask(pattern: string, read = (text: string) => text): Mask {
  const variants = parseVariants(pattern)
  return {
    variants,
    options: {
      mask: ({ value }) =>
        chooseVariant(variants, value).map((token) => (typeof token === 'string' ? token : token.accepts)),
      preprocessors: [readText(read), refuseSurplus(variants)],
      postprocessors: [
        ({ value, selection }) => {
          const variant = chooseVariant(variants, value)
          return {
            value: [...value].map((each, index) => upperCase(variant[index], each)).join(''),
            selection,
          }
        },
      ],
    },
  }
}

function parseVariants(pattern: string): Variant[] {
  let at = 0
  const parseSequence = (depth: number): Variant[] => {
    let variants: Variant[] = [[]]
    for (; at < pattern.length && pattern[at] !== ']'; at++) {
      const additions = pattern[at] === '[' ? parseOptional(depth) : [[parseToken(depth)]]
      variants = variants.flatMap((start) => additions.map((end) => [...start, ...end]))
    }
    if (depth > 0 !== at < pattern.length) throw new RangeError(`unbalanced [ ] in the mask ${pattern}`)
    return variants
  }
  const parseOptional = (depth: number): Variant[] => {
    at++
    return [[], ...parseSequence(depth + 1)]
  }
  const parseToken = (depth: number): Token => {
    const accepts = SLOTS[pattern.charAt(at)]
    if (accepts) return { accepts, isUpper: pattern[at] === 'A', isSlot: true }
    if (pattern[at] === '\\') at++
    const character = pattern.charAt(at)
    if (character === '') throw new RangeError(`trailing \\ in the mask ${pattern}`)
    // A letter or digit of an optional part decides whether the part is shown, so it must be typed.
    if (depth === 0 || !LETTER_OR_DIGIT.test(character)) return character
    return { accepts: new RegExp(`^${character}$`, 'i'), isUpper: /\p{Lu}/u.test(character), isSlot: false }
  }
  return parseSequence(0).sort((a, b) => a.length - b.length)
}

/** Normalises a text, also while it is typed at its end or pasted. */
function readText(read: (text: string) => string): MaskitoPreprocessor {
  return ({ elementState, data }, action) => {
    const { value, selection } = elementState
    if (action === 'validation') return { elementState: { value: read(value), selection }, data }
    const typed = value.slice(0, selection[0]) + data
    if (action !== 'insert' || read(typed) === typed) return { elementState, data }
    return { elementState: { value: value.slice(selection[1]), selection: [0, 0] }, data: read(typed) }
  }
}

/** Refuses a typed character that has no place: otherwise characters at the end of the text would be lost. */
function refuseSurplus(variants: readonly Variant[]): MaskitoPreprocessor {
  return ({ elementState, data }, action) => {
    const { value, selection } = elementState
    const typed = value.slice(0, selection[0]) + data + value.slice(selection[1])
    const isSurplus =
      action === 'insert' &&
      data.length === 1 &&
      weighLost(chooseVariant(variants, typed), typed) >= CHARACTER_WEIGHT
    return { elementState, data: isSurplus ? '' : data }
  }
}

/** Returns the shortest variant that a text begins; if there is none, the one that loses the least of the text. */
function chooseVariant(variants: readonly Variant[], text: string): Variant {
  const begun = variants.find((variant) => [...text].every((each, index) => accepts(variant[index], each)))
  if (begun) return begun
  const lost = variants.map((variant) => weighLost(variant, text))
  return variants[lost.indexOf(Math.min(...lost))]!
}

function accepts(token: Token | undefined, character: string): boolean {
  return typeof token === 'object' ? token.accepts.test(character) : token === character
}

/** Returns the weight of the characters of a text that a variant has no place for; a sign weighs 1. */
function weighLost(variant: Variant, text: string): number {
  let index = 0
  let lost = 0
  for (const character of text) {
    let next = index
    while (typeof variant[next] === 'string' && variant[next] !== character) next++
    if (accepts(variant[next], character)) index = next + 1
    else lost += LETTER_OR_DIGIT.test(character) ? CHARACTER_WEIGHT : 1
  }
  return lost
}

function upperCase(token: Token | undefined, character: string): string {
  return typeof token === 'object' && token.isUpper && character.toUpperCase().length === 1
    ? character.toUpperCase()
    : character
}

const isSlot = (token: Token | undefined) => typeof token === 'object' && token.isSlot

/** Applies a mask to a text in any formatting. */
export function applyMask({ variants, options }: Mask, text: string): Masked {
  const shown = maskitoTransform(text, options)
  const variant = chooseVariant(variants, shown)
  return {
    shown,
    bare: [...shown].filter((_, index) => isSlot(variant[index])).join(''),
    isComplete: shown !== '' && shown.length === variant.length,
  }
}

/** Applies a mask to bare characters, none of which is treated as a literal. */
export function fillMask(mask: Mask, bare: string): Masked {
  const hasRoom = (variant: Variant) => variant.filter(isSlot).length >= bare.length
  const variant = mask.variants.find(hasRoom) ?? mask.variants.at(-1)!
  let text = ''
  let at = 0
  for (const token of at < bare.length ? variant : []) {
    if (typeof token === 'object' && at === bare.length) break
    text += typeof token === 'string' ? token : bare[at++]
  }
  return applyMask(mask, text)
}

/** Returns an empty mask as text, without its optional parts: `__.__.____`. */
export function drawMask({ variants }: Mask): string {
  return variants[0]!.map((token) => (typeof token === 'string' ? token : '_')).join('')
}

/** Returns the on-screen keyboard that has all characters of a mask. */
export function keyboardOf({ variants }: Mask): 'text' | 'numeric' | 'tel' {
  const longest = variants.at(-1)!
  if (longest.some((token) => typeof token === 'object' && token.isSlot && token.accepts !== SLOTS['#']))
    return 'text'
  return longest.includes('+') ? 'tel' : 'numeric'
}
