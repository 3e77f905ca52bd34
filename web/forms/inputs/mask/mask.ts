type Token =
  | { kind: 'slot'; accepts: RegExp; isUpper: boolean }
  | { kind: 'literal'; character: string }
  /** Before an optional part; what follows that part stands at `end`. */
  | { kind: 'option'; end: number }

/** A mask, read by `parseMask`. */
export interface Mask {
  tokens: readonly Token[]
  /** Writes a text that people write in several ways as the mask has it; what is shown already it leaves alone. */
  read?: ((text: string) => string) | undefined
}

export interface Masked {
  /** What stands in the field: the typed characters with the literals between them. */
  shown: string
  /** What stands in the slots of the mask alone. */
  bare: string
  /** Nothing is missing but optional parts. */
  isComplete: boolean
}

const LETTER = /^\p{L}$/u
const SLOTS: Record<string, RegExp> = { '#': /^\d$/, a: LETTER, A: LETTER, '*': /^[\p{L}\d]$/u }

/**
 * Reads a mask: `#` a digit, `a` a letter, `A` a letter made upper case, `*` a letter or digit, `[…]` an optional part, which
 * may hold others, `\` before a character that stands for itself; so does every other one. Throws a RangeError for brackets
 * that do not match and for a `\` at the end.
 */
export function parseMask(pattern: string): Mask {
  const tokens: Token[] = []
  const open: { kind: 'option'; end: number }[] = []
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at)
    const accepts = SLOTS[sign]
    if (accepts) tokens.push({ kind: 'slot', accepts, isUpper: sign === 'A' })
    else if (sign === '[') {
      const option = { kind: 'option' as const, end: 0 }
      tokens.push(option)
      open.push(option)
    } else if (sign === ']') {
      const option = open.pop()
      if (!option) throw new RangeError(`a bracket is closed that was not opened in the mask ${pattern}`)
      option.end = tokens.length
    } else {
      const character = sign === '\\' ? pattern.charAt(++at) : sign
      if (character === '') throw new RangeError(`nothing follows the last \\ of the mask ${pattern}`)
      tokens.push({ kind: 'literal', character })
    }
  }
  if (open.length > 0) throw new RangeError(`a bracket is not closed in the mask ${pattern}`)
  return { tokens }
}

/** A text of any formatting, typed or pasted, as the mask shows it. Applied to what it shows it changes nothing. */
export function applyMask(mask: Mask, text: string): Masked {
  return settle(mask, align(mask, mask.read?.(text) ?? text).output)
}

/** The bare characters of a value as the mask shows them: none of them is taken for a literal. */
export function fillMask(mask: Mask, bare: string): Masked {
  return settle(mask, align(mask, bare, { isBare: true }).output)
}

export interface Edit {
  /** The part of the shown text that is replaced. */
  from: number
  to: number
  text: string
  /** Where a deletion goes on if all it took was literals, which come back. */
  reach?: 'back' | 'forth' | undefined
}

/** The shown text after an edit, and where the caret belongs then. */
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

/** Where the last characters were deleted, the literals before them go too; one with no slot before it stays. */
function trimEnd(mask: Mask, result: Masked & { caret: number }): Masked & { caret: number } {
  const end = align(mask, result.shown).origins.lastIndexOf('slot') + 1
  if (result.caret < result.shown.length || end === 0) return result
  return { ...applyMask(mask, result.shown.slice(0, end)), caret: end }
}

/** A text with the caret in it, as the mask shows it. */
export function placeCaret(
  mask: Mask,
  text: string,
  caret: number,
  origins: readonly Origin[] = [],
): Masked & { caret: number } {
  const read = origins.at(-1) === 'fresh' ? (mask.read?.(text) ?? text) : text
  const isRead = read !== text
  const { output, ends } = align(mask, read, isRead ? {} : { origins })
  return { ...settle(mask, output), caret: Math.max(0, ...ends.slice(0, isRead ? read.length : caret)) }
}

/** What a mask looks like while nothing stands in it, without its optional parts: `__.__.____`. */
export function drawMask({ tokens }: Mask): string {
  let drawing = ''
  for (let place = 0; place < tokens.length; ) {
    const token = tokens[place]!
    if (token.kind !== 'option') drawing += token.kind === 'slot' ? '_' : token.character
    place = token.kind === 'option' ? token.end : place + 1
  }
  return drawing
}

/** The keyboard that types all of a mask. */
export function keyboardOf({ tokens }: Mask): 'text' | 'numeric' | 'tel' {
  const isOfDigits = tokens.every((token) => token.kind !== 'slot' || token.accepts === SLOTS['#'])
  const hasPlus = tokens.some((token) => token.kind === 'literal' && token.character === '+')
  return isOfDigits ? (hasPlus ? 'tel' : 'numeric') : 'text'
}

/**
 * What it costs to bring a text under a mask. The cheapest way wins: lose no letter and no digit, then lose and add as few
 * signs as possible, then read as literals what may be one, then use few optional parts. A text that a mask shows costs
 * nothing of the first two, so it stays as it is.
 */
const LOSS = 1e9
const LOST_SIGN = 2e5
const ADDED_SIGN = 1e5
const SLOT = 100
const OPTION = 1

/** Where there is no room for both, what has just been typed gives way to what was there, and a literal, which comes back, to it. */
const YIELDING = 5e4

/** More than any mask holds; what is pasted by mistake may be a whole document. */
const MAX_TEXT = 1_000

/** Where a character comes from: it was in a slot, it was a literal, or it has just been typed. */
type Origin = 'slot' | 'literal' | 'fresh'

interface Move {
  cost: number
  /** The next character of the text and the next token of the mask. */
  at: number
  place: number
  output: string
}

interface Alignment {
  output: string
  bare: string
  /** How far into the mask it reaches. */
  place: number
  /** For each character of the text the length of the output after it; 0 where it was left out. */
  ends: number[]
  /** What each character of the output is. */
  origins: Origin[]
}

interface Reading {
  /** Of each character of the text; one that was a literal never becomes anything else. */
  origins?: readonly Origin[]
  /** No character is a literal. */
  isBare?: boolean
}

/** The cheapest way to bring a text under a mask, found from its end. */
function align({ tokens }: Mask, whole: string, { origins = [], isBare = false }: Reading = {}): Alignment {
  const text = whole.slice(0, MAX_TEXT)
  const width = tokens.length + 1
  const costs = new Float64Array((text.length + 1) * width)
  const costOf = (move: Move) => move.cost + costs[move.at * width + move.place]!

  /** What can be done with a character at a token, the better of two equals first. */
  const movesAt = (at: number, place: number): Move[] => {
    const character = text.charAt(at)
    const origin = origins[at]
    const token = tokens[place]
    if (token?.kind === 'option') {
      return [
        { cost: 0, at, place: token.end, output: '' },
        { cost: OPTION, at, place: place + 1, output: '' },
      ]
    }
    const moves: Move[] = []
    const mayStand = token?.kind === 'slot' ? origin !== 'literal' : !isBare
    const output = token && mayStand && written(token, character)
    if (output) {
      const cost = (output === character ? 0 : ADDED_SIGN) + (token.kind === 'slot' ? SLOT : 0)
      moves.push({ cost, at: at + 1, place: place + 1, output })
    }
    if (token?.kind === 'literal') {
      moves.push({ cost: ADDED_SIGN, at, place: place + 1, output: token.character })
    }
    moves.push({ cost: lossOf(character, origin), at: at + 1, place, output: '' })
    return moves
  }

  for (let at = text.length - 1; at >= 0; at--) {
    for (let place = tokens.length; place >= 0; place--) {
      costs[at * width + place] = Math.min(...movesAt(at, place).map(costOf))
    }
  }

  const found: Alignment = { output: '', bare: '', place: 0, ends: [], origins: [] }
  for (let at = 0; at < text.length; ) {
    const { place } = found
    const move = movesAt(at, place).find((each) => costOf(each) === costs[at * width + place])!
    const isSlot = tokens[place]?.kind === 'slot'
    found.output += move.output
    if (isSlot) found.bare += move.output
    if (move.output) found.origins.push(isSlot ? 'slot' : 'literal')
    if (move.at > at) found.ends.push(move.output ? found.output.length : 0)
    at = move.at
    found.place = move.place
  }
  return found
}

function lossOf(character: string, origin: Origin | undefined): number {
  if (origin === 'literal') return LOST_SIGN - YIELDING
  if (!/[\p{L}\d]/u.test(character)) return LOST_SIGN
  return origin === 'fresh' ? LOSS - YIELDING : LOSS
}

/** What a character becomes at a token; undefined where it does not fit. */
function written(token: Exclude<Token, { kind: 'option' }>, character: string): string | undefined {
  const upper = character.toUpperCase()
  if (token.kind === 'literal') return token.character.toUpperCase() === upper ? token.character : undefined
  if (!token.accepts.test(character)) return undefined
  return token.isUpper && upper.length === 1 ? upper : character
}

/** What an aligned text holds; literals at the end come as soon as nothing but them is missing. */
function settle(mask: Mask, aligned: string): Masked {
  for (let text = aligned; ; ) {
    const { output: shown, bare, place } = align(mask, mask.read?.(text) ?? text)
    const rest = literalRest(mask, place)
    if (shown === text && (!rest || shown === '')) return { shown, bare, isComplete: rest === '' }
    text = shown && shown + (rest ?? '')
  }
}

/** The literals that a mask ends with from a place on, without its optional parts; undefined where a slot is still empty. */
function literalRest({ tokens }: Mask, from: number): string | undefined {
  let rest = ''
  for (let place = from; place < tokens.length; ) {
    const token = tokens[place]!
    if (token.kind === 'slot') return undefined
    if (token.kind === 'literal') rest += token.character
    place = token.kind === 'option' ? token.end : place + 1
  }
  return rest
}
