import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../docs/api.md', import.meta.url))

/** A fenced block: its language, its text, and the heading above it. */
export type Block = { language: string; text: string; heading: string; line: number }

/** Reads docs/api.md: its examples in order, and its tables, row by row, by the heading above them. */
export function readApiPage(): { blocks: Block[]; table(heading: string): string[][]; text: string } {
  const text = readFileSync(PAGE, 'utf8')
  const blocks: Block[] = []
  const tables = new Map<string, string[][]>()
  let heading = ''
  let open: Block | null = null
  for (const [place, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line)
    if (fence && open) {
      blocks.push(open)
      open = null
    } else if (fence) open = { language: fence[1]!, text: '', heading, line: place + 1 }
    else if (open) open.text += `${line}\n`
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    else if (line.startsWith('|') && !/^\|[ |-]+\|$/.test(line)) {
      const cells = line.slice(1, -1).split('|')
      tables.set(heading, [
        ...(tables.get(heading) ?? []),
        cells.map((cell) => cell.trim().replaceAll('`', '')),
      ])
    }
  }
  return {
    blocks,
    text,
    // Without the header row.
    table: (name) => {
      const rows = tables.get(name)
      if (!rows) throw new Error(`docs/api.md has no table under „${name}”`)
      return rows.slice(1)
    },
  }
}

/** Values of earlier responses, by the name in the page. */
export type Values = Record<string, string>

export const fillIn = (text: string, values: Values): string =>
  text.replace(/<(\w+)>/g, (whole, name: string) => values[name] ?? whole)

/** Parses the message of an `http` block: its first line, its headers, its body. */
export function readMessage(text: string): { start: string; headers: [string, string][]; body: string } {
  const [head = '', ...rest] = text.split('\n\n')
  const [start = '', ...lines] = head.trimEnd().split('\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { start, headers, body: rest.join('\n\n').trimEnd() }
}

/** Returns a pattern in which `…` matches any text. */
export const asPattern = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^]*')}$`)

/**
 * Returns the path and the kind of the first difference between a value and the example, or null. `"…"` matches any value;
 * `"<name>"` matches any value and saves it under that name.
 */
export function findDifference(shown: unknown, found: unknown, values: Values, path = '$'): string | null {
  if (shown === '…') return found === undefined ? `${path} is missing` : null
  const name = typeof shown === 'string' ? /^<(\w+)>$/.exec(shown)?.[1] : undefined
  if (name !== undefined) {
    values[name] = String(found)
    return found ? null : `${path} is missing`
  }
  if (typeof shown === 'string' && typeof found === 'string')
    return asPattern(shown).test(found) ? null : `${path} is ${found}`
  if (typeof shown !== 'object' || shown === null || typeof found !== 'object' || found === null)
    return shown === found ? null : `${path} is ${JSON.stringify(found)}`
  const [expected, actual] = [shown, found] as [Record<string, unknown>, Record<string, unknown>]
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (!Object.hasOwn(expected, key)) return `${path}.${key} is not shown`
    const difference = findDifference(expected[key], actual[key], values, `${path}.${key}`)
    if (difference) return difference
  }
  return null
}
