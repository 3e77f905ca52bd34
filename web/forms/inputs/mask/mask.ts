type Token =
  | { kind: 'slot'; accepts: RegExp; isUpper: boolean }
  | { kind: 'literal'; character: string }
  /** Precedes an optional part; `end` is the index of the token after that part. */
  | { kind: 'option'; end: number }

/** A mask, as parsed by `parseMask`. */
export interface Mask {
  tokens: readonly Token[]
  /** Normalises a text before it is masked. Must leave an already masked text unchanged. */
  read?: ((text: string) => string) | undefined
}

export interface Masked {
  /** The text of the field: the typed characters with the literals between them. */
  shown: string
  /** The characters of the slots, without literals. */
  bare: string
  /** Whether all slots are filled, except those of optional parts. */
  isComplete: boolean
}

const LETTER = /^\p{L}$/u
const SLOTS: Record<string, RegExp> = { '#': /^\d$/, a: LETTER, A: LETTER, '*': /^[\p{L}\d]$/u }

/**
 * Parses a pattern: `#` a digit, `a` a letter, `A` a letter converted to upper case, `*` a letter or digit,
 * `[…]` an optional part, which may be nested, `\` escapes the next character; every other character is a
 * literal. Throws a RangeError for unbalanced brackets and for a trailing `\`.
 */
export function parseMask(pattern: string): Mask {
  const tokens: Token[] = []
  const open: { kind: 'option'; end: number }[] = []
  for (let at = 0; at < pattern.length; at++) {
    const symbol = pattern.charAt(at)
    const accepts = SLOTS[symbol]
    if (accepts) tokens.push({ kind: 'slot', accepts, isUpper: symbol === 'A' })
    else if (symbol === '[') {
      const option = { kind: 'option' as const, end: 0 }
      tokens.push(option)
      open.push(option)
    } else if (symbol === ']') {
      const option = open.pop()
      if (!option) throw new RangeError(`unexpected ] in the mask ${pattern}`)
      option.end = tokens.length
    } else {
      const character = symbol === '\\' ? pattern.charAt(++at) : symbol
      if (character === '') throw new RangeError(`trailing \\ in the mask ${pattern}`)
      tokens.push({ kind: 'literal', character })
    }
  }
  if (open.length > 0) throw new RangeError(`missing ] in the mask ${pattern}`)
  return { tokens }
}

/** Applies a mask to a text in any formatting. Idempotent. */
export function applyMask(mask: Mask, text: string): Masked {
  return completeLiterals(mask, align(mask, mask.read?.(text) ?? text).output)
}

/** Applies a mask to bare characters, none of which is treated as a literal. */
export function fillMask(mask: Mask, bare: string): Masked {
  return completeLiterals(mask, align(mask, bare, { isBare: true }).output)
}

export interface Edit {
  /** The start of the replaced range of the shown text; `to` is its exclusive end. */
  from: number
  to: number
  text: string
  /** The direction in which a deletion continues if it removed only literals, which the mask restores. */
  reach?: 'back' | 'forth' | undefined
}

/** Returns the masked text after an edit, and the position of the caret. */
export function editMask(mask: Mask, shown: string, edit: Edit): Masked & { caret: number } {
  let { from, to } = edit
  const { origins } = align(mask, shown)
  const fresh = Array<Origin>(edit.text.length).fill('fresh')
  for (;;) {
    const typed = shown.slice(0, from) + edit.text + shown.slice(to)
    const result = placeCaret(mask, typed, from + edit.text.length, [
      ...origins.slice(0, from),
      ...fresh,
      ...origins.slice(to),
    ])
    const isStuck = result.shown === shown && edit.text === ''
    if (isStuck && edit.reach === 'back' && from > 0) from -= 1
    else if (isStuck && edit.reach === 'forth' && to < shown.length) to += 1
    else return edit.text === '' ? trimEnd(mask, result) : result
  }
}

/** Removes the literals before deleted characters at the end of the text; leading literals stay. */
function trimEnd(mask: Mask, result: Masked & { caret: number }): Masked & { caret: number } {
  const end = align(mask, result.shown).origins.lastIndexOf('slot') + 1
  if (result.caret < result.shown.length || end === 0) return result
  return { ...applyMask(mask, result.shown.slice(0, end)), caret: end }
}

/** Applies a mask to a text with a caret, and returns the new position of the caret. */
export function placeCaret(
  mask: Mask,
  text: string,
  caret: number,
  origins: readonly Origin[] = [],
): Masked & { caret: number } {
  const read = origins.at(-1) === 'fresh' ? (mask.read?.(text) ?? text) : text
  const isRead = read !== text
  const { output, ends } = align(mask, read, isRead ? {} : { origins })
  return {
    ...completeLiterals(mask, output),
    caret: Math.max(0, ...ends.slice(0, isRead ? read.length : caret)),
  }
}

/** Returns an empty mask as text, without its optional parts: `__.__.____`. */
export function drawMask({ tokens }: Mask): string {
  let drawing = ''
  for (let tokenIndex = 0; tokenIndex < tokens.length; ) {
    const token = tokens[tokenIndex]!
    if (token.kind !== 'option') drawing += token.kind === 'slot' ? '_' : token.character
    tokenIndex = token.kind === 'option' ? token.end : tokenIndex + 1
  }
  return drawing
}

/** Returns the on-screen keyboard that has all characters of a mask. */
export function keyboardOf({ tokens }: Mask): 'text' | 'numeric' | 'tel' {
  const hasOnlyDigits = tokens.every((token) => token.kind !== 'slot' || token.accepts === SLOTS['#'])
  const hasPlus = tokens.some((token) => token.kind === 'literal' && token.character === '+')
  return hasOnlyDigits ? (hasPlus ? 'tel' : 'numeric') : 'text'
}

/**
 * The costs of aligning a text with a mask; the alignment with the lowest total wins. Priorities: lose no
 * letter or digit, then remove and add as few symbols as possible, then read characters as literals, then use
 * few optional parts. An already masked text has no costs of the first two kinds, so it stays unchanged.
 */
const LOST_CHARACTER = 1e9
const LOST_SIGN = 2e5
const ADDED_SIGN = 1e5
const SLOT = 100
const OPTION = 1

/**
 * A discount for characters that are dropped first if there is not enough room: newly typed ones, and
 * literals, which the mask restores.
 */
const YIELD_DISCOUNT = 5e4

/** The maximum length of a processed text, in characters: a whole document may be pasted by mistake. */
const MAX_TEXT_LENGTH = 1_000

/** The origin of a character: from a slot, from a literal, or newly typed. */
type Origin = 'slot' | 'literal' | 'fresh'

interface Move {
  cost: number
  /** The index of the next character of the text; `tokenIndex` is the index of the next token of the mask. */
  at: number
  tokenIndex: number
  output: string
}

interface Alignment {
  output: string
  bare: string
  /** The index of the next token of the mask. */
  tokenIndex: number
  /** For each character of the text, the length of the output after it; 0 if the character was dropped. */
  ends: number[]
  /** The kind of each character of the output. */
  origins: Origin[]
}

interface AlignOptions {
  /** The origin of each character of the text; a literal never fills a slot. */
  origins?: readonly Origin[]
  /** Whether no character is treated as a literal. */
  isBare?: boolean
}

/** Finds the cheapest alignment of a text with a mask by dynamic programming from the end. */
function align(
  { tokens }: Mask,
  whole: string,
  { origins = [], isBare = false }: AlignOptions = {},
): Alignment {
  const text = whole.slice(0, MAX_TEXT_LENGTH)
  const width = tokens.length + 1
  const costs = new Float64Array((text.length + 1) * width)
  const costOf = (move: Move) => move.cost + costs[move.at * width + move.tokenIndex]!

  /**
   * Returns the possible moves for a character at a token; the preferred one of two equally cheap moves comes
   * first.
   */
  const movesAt = (at: number, tokenIndex: number): Move[] => {
    const character = text.charAt(at)
    const origin = origins[at]
    const token = tokens[tokenIndex]
    if (token?.kind === 'option') {
      return [
        { cost: 0, at, tokenIndex: token.end, output: '' },
        { cost: OPTION, at, tokenIndex: tokenIndex + 1, output: '' },
      ]
    }
    const moves: Move[] = []
    const isAllowed = token?.kind === 'slot' ? origin !== 'literal' : !isBare
    const output = token && isAllowed && fitCharacter(token, character)
    if (output) {
      const cost = (output === character ? 0 : ADDED_SIGN) + (token.kind === 'slot' ? SLOT : 0)
      moves.push({ cost, at: at + 1, tokenIndex: tokenIndex + 1, output })
    }
    if (token?.kind === 'literal') {
      moves.push({ cost: ADDED_SIGN, at, tokenIndex: tokenIndex + 1, output: token.character })
    }
    moves.push({ cost: dropCost(character, origin), at: at + 1, tokenIndex, output: '' })
    return moves
  }

  for (let at = text.length - 1; at >= 0; at--) {
    for (let tokenIndex = tokens.length; tokenIndex >= 0; tokenIndex--) {
      costs[at * width + tokenIndex] = Math.min(...movesAt(at, tokenIndex).map(costOf))
    }
  }

  const found: Alignment = { output: '', bare: '', tokenIndex: 0, ends: [], origins: [] }
  for (let at = 0; at < text.length; ) {
    const { tokenIndex } = found
    const move = movesAt(at, tokenIndex).find((each) => costOf(each) === costs[at * width + tokenIndex])!
    const isSlot = tokens[tokenIndex]?.kind === 'slot'
    found.output += move.output
    if (isSlot) found.bare += move.output
    if (move.output) found.origins.push(isSlot ? 'slot' : 'literal')
    if (move.at > at) found.ends.push(move.output ? found.output.length : 0)
    at = move.at
    found.tokenIndex = move.tokenIndex
  }
  return found
}

function dropCost(character: string, origin: Origin | undefined): number {
  if (origin === 'literal') return LOST_SIGN - YIELD_DISCOUNT
  if (!/[\p{L}\d]/u.test(character)) return LOST_SIGN
  return origin === 'fresh' ? LOST_CHARACTER - YIELD_DISCOUNT : LOST_CHARACTER
}

/** Returns what a character becomes at a token; undefined if it does not fit. */
function fitCharacter(token: Exclude<Token, { kind: 'option' }>, character: string): string | undefined {
  const upper = character.toUpperCase()
  if (token.kind === 'literal') return token.character.toUpperCase() === upper ? token.character : undefined
  if (!token.accepts.test(character)) return undefined
  return token.isUpper && upper.length === 1 ? upper : character
}

/** Returns the masked text, with the mask's trailing literals appended once all slots are filled. */
function completeLiterals(mask: Mask, aligned: string): Masked {
  for (let text = aligned; ; ) {
    const { output: shown, bare, tokenIndex } = align(mask, mask.read?.(text) ?? text)
    const rest = trailingLiterals(mask, tokenIndex)
    if (shown === text && (!rest || shown === '')) return { shown, bare, isComplete: rest === '' }
    text = shown && shown + (rest ?? '')
  }
}

/**
 * Returns the literals from a token to the end of the mask, without optional parts; undefined if a slot is
 * still empty.
 */
function trailingLiterals({ tokens }: Mask, from: number): string | undefined {
  let rest = ''
  for (let tokenIndex = from; tokenIndex < tokens.length; ) {
    const token = tokens[tokenIndex]!
    if (token.kind === 'slot') return undefined
    if (token.kind === 'literal') rest += token.character
    tokenIndex = token.kind === 'option' ? token.end : tokenIndex + 1
  }
  return rest
}
