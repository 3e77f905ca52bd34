import type { FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { findFacts, hasUnclearValue, type TextLine } from './find-facts.ts'

const DELIMITERS = [';', ',', '\t', '|']
/** Lines from which the delimiter of a table is guessed. */
const SAMPLE_LINES = 20

/**
 * Returns what a text or a table (CSV) says. In a text whose character set was guessed, values with letters other
 * than those of ASCII are doubtful.
 */
export function findTextFacts(text: string, isTable: boolean, isGuessed: boolean): FileFact[] {
  const facts = findFacts(readLines(text, isTable))
  if (!isGuessed) return facts
  return facts.map((fact) => (/^\p{ASCII}*$/u.test(fact.value) ? fact : { ...fact, isDoubtful: true }))
}

/** Whether the value of a label in a text is none. */
export const isUnclearText = (text: string): boolean => hasUnclearValue(readLines(text, false))

function readLines(text: string, isTable: boolean): TextLine[] {
  const lines = text.split(/\r\n|[\r\n\f]/)
  const delimiter = isTable ? findDelimiter(lines) : null
  return lines.map((line, index) => ({
    text: delimiter === null ? line : splitRow(line, delimiter).join('\t'),
    place: { in: 'text', line: index + 1 },
  }))
}

function findDelimiter(lines: readonly string[]): string {
  const sample = lines.slice(0, SAMPLE_LINES).join('\n')
  const counts = DELIMITERS.map((delimiter) => sample.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** Returns the cells of a row; a quoted cell may contain the delimiter. */
function splitRow(line: string, delimiter: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === delimiter && !isQuoted) cells.push('')
    else cells[cells.length - 1] += character === '\t' ? ' ' : character
  }
  return cells
}
