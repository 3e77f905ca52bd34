import type { FindingKind } from '../../../../../shared/uploads/file-findings.ts'
import { decode } from './recognise-program.ts'

/** Returns what the name of a part of a Word or Excel document shows; null for an ordinary part. */
export function judgePartName(name: string): FindingKind | null {
  if (/(^|\/)(vbaProject\.bin|vbaData\.xml)$/i.test(name) || /(^|\/)macrosheets\//i.test(name))
    return 'macros'
  // Documents of OpenDocument keep their macros in these folders.
  if (/^(Basic|Scripts)\/./.test(name)) return 'macros'
  if (/(^|\/)(embeddings\/.*\.(bin|ole)|activeX\/.+)$/i.test(name)) return 'embedded-object'
  return null
}

/** Whether the content of this part has to be read. */
export const isPartToRead = (name: string): boolean => /(^\[Content_Types\]\.xml|\.rels)$/i.test(name)

/** Types of relationships whose target Word loads when the document is opened. A link that is clicked is none. */
const LOADED = /\/(attachedTemplate|frame|subDocument|mailMergeSource|mailMergeHeaderSource)$/i
const LINKED_OBJECT = /\/oleObject$/i

/** Returns what the content of a part shows: macros in the list of types, or a relationship to another host. */
export function judgePart(name: string, bytes: Buffer): FindingKind[] {
  const text = decode(bytes)
  if (!/\.rels$/i.test(name)) return /macroEnabled|vbaProject/i.test(text) ? ['macros'] : []
  const found: FindingKind[] = []
  for (const [tag] of text.matchAll(/<(?:[\w.-]+:)?Relationship\s[^>]*>/g)) {
    if (readAttribute(tag, 'TargetMode').toLowerCase() !== 'external') continue
    const type = readAttribute(tag, 'Type')
    if (LOADED.test(type)) found.push('remote-template')
    if (LINKED_OBJECT.test(type)) found.push('embedded-object')
  }
  return found
}

function readAttribute(tag: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  return (double ?? single ?? '').replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex, decimal) =>
    String.fromCodePoint(Math.min(0x10ffff, hex ? Number.parseInt(hex, 16) : Number(decimal))),
  )
}
