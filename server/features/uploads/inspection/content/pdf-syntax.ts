/** A value of a PDF. Strings, booleans and null are `other`; a dictionary keeps every entry, also repeated keys. */
export type PdfValue =
  | { type: 'name'; name: string }
  | { type: 'number'; value: number }
  | { type: 'reference'; number: number }
  | { type: 'array'; items: PdfValue[] }
  | PdfDictionary
  | { type: 'other' }
export type PdfDictionary = { type: 'dictionary'; entries: [string, PdfValue][] }

/** The text is not a value, or it takes too long to read. */
export class UnreadablePdf extends Error {}

/** How many bytes may still be read, in all; what has been read several times counts several times. */
export class ReadingBudget {
  #bytes: number

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Throws UnreadablePdf if there are no bytes left. */
  spend(bytes: number): void {
    this.#bytes -= bytes
    if (this.#bytes < 0) throw new UnreadablePdf('too long')
  }
}

const MAX_DEPTH = 100
const codes = (characters: string): ReadonlySet<number | undefined> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)))
const SPACES = codes('\0\t\n\f\r ')
const LINE_ENDS = codes('\n\r')
const DELIMITERS = codes('()<>[]{}/%')
const [PERCENT, OPEN, CLOSE, BACKSLASH, LESS, MORE] = Buffer.from('%()\\<>')

/** Returns the name without the `#xx` that may replace any of its characters. */
export const unescapeName = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Returns the position of the next byte that is neither white space nor in a comment. */
export function skipSpace(bytes: Buffer, from: number, budget: ReadingBudget): number {
  let at = from
  for (; at < bytes.length; at += 1) {
    if (bytes[at] === PERCENT) while (at < bytes.length && !LINE_ENDS.has(bytes[at])) at += 1
    else if (!SPACES.has(bytes[at])) break
  }
  budget.spend(at - from + 1)
  return at
}

/** Reads values from a position on. Throws UnreadablePdf for what is not a value. */
export class PdfReader {
  readonly #bytes: Buffer
  readonly #budget: ReadingBudget
  /** The position after the last value. */
  at: number

  constructor(bytes: Buffer, at: number, budget: ReadingBudget) {
    this.#bytes = bytes
    this.#budget = budget
    this.at = at
  }

  readValue(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new UnreadablePdf('too deep')
    const token = this.#readToken()
    if (token === '<<') return this.#readDictionary(depth)
    if (token === '[') return this.#readArray(depth)
    if (token.startsWith('/')) return { type: 'name', name: unescapeName(token.slice(1)) }
    if (/^[+-]?[\d.]/.test(token)) return this.#readNumber(token)
    if (['(', '<', 'true', 'false', 'null'].includes(token)) return { type: 'other' }
    throw new UnreadablePdf('no value')
  }

  /** Whether this keyword follows; the position is then after it. */
  skipKeyword(keyword: string): boolean {
    const before = this.at
    if (this.#readToken() === keyword) return true
    this.at = before
    return false
  }

  #readDictionary(depth: number): PdfDictionary {
    const entries: PdfDictionary['entries'] = []
    for (;;) {
      const token = this.#readToken()
      if (token === '>>') return { type: 'dictionary', entries }
      if (!token.startsWith('/')) throw new UnreadablePdf('no key')
      entries.push([unescapeName(token.slice(1)), this.readValue(depth + 1)])
    }
  }

  #readArray(depth: number): PdfValue {
    const items: PdfValue[] = []
    while (!this.skipKeyword(']')) items.push(this.readValue(depth + 1))
    return { type: 'array', items }
  }

  /** Reads the rest of `4 0 R`, if the number is the first part of a reference. */
  #readNumber(token: string): PdfValue {
    const after = this.at
    if (/^\d+$/.test(token) && /^\d+$/.test(this.#readToken()) && this.#readToken() === 'R')
      return { type: 'reference', number: Number(token) }
    this.at = after
    return { type: 'number', value: Number(token) }
  }

  /** Returns a delimiter, a name with its `/`, or a word; of a string only its first character; '' at the end. */
  #readToken(): string {
    const bytes = this.#bytes
    const start = skipSpace(bytes, this.at, this.#budget)
    const first = bytes[start]
    let end = start + 1
    if (first === OPEN) end = this.#findStringEnd(start)
    else if ((first === LESS || first === MORE) && bytes[end] === first) end += 1
    else if (first === LESS) end = this.#findHexadecimalEnd(start)
    else if (first === 0x2f || !DELIMITERS.has(first))
      while (end < bytes.length && !SPACES.has(bytes[end]) && !DELIMITERS.has(bytes[end])) end += 1
    this.at = Math.min(end, bytes.length)
    this.#budget.spend(end - start)
    const isString = first === OPEN || (first === LESS && bytes[start + 1] !== LESS)
    return bytes.toString('latin1', start, isString ? start + 1 : this.at)
  }

  #findStringEnd(start: number): number {
    let depth = 0
    for (let at = start; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at]
      if (byte === BACKSLASH) at += 1
      else if (byte === OPEN) depth += 1
      else if (byte === CLOSE) depth -= 1
      if (depth === 0) return at + 1
    }
    this.#budget.spend(this.#bytes.length - start)
    throw new UnreadablePdf('no end')
  }

  #findHexadecimalEnd(start: number): number {
    const end = this.#bytes.indexOf('>', start, 'latin1')
    if (end >= 0) return end + 1
    this.#budget.spend(this.#bytes.length - start)
    throw new UnreadablePdf('no end')
  }
}
