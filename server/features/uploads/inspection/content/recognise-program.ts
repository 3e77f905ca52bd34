import { isRunnableName } from '../../../../../shared/uploads/runnable-names.ts'
import { startsWithAny } from './signatures.ts'

/** The first bytes of programs for Windows, Linux, macOS, Java and Android, of shortcuts and of compiled help. */
const SIGNATURES = [
  '\x7fELF',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xca\xfe\xba\xbe',
  '#!',
  'dex\n',
  'L\0\0\0\x01\x14\x02\0',
  'ITSF',
]
/** Bytes of a Windows program in which its header has zeros, after `MZ`; a text has none. */
const WINDOWS_HEADER_BYTES = 64
const MARKUP = /^\s*</
const PAGE = /<(?:!doctype\s+html|html|head|body|script|svg|iframe|hta:)[\s>/]/i

/** Whether these are the first bytes of a program or a script; its name does not count. */
export function isProgram(head: Buffer): boolean {
  if (startsWithAny(head, SIGNATURES)) return true
  return startsWithAny(head, ['MZ']) && head.subarray(2, WINDOWS_HEADER_BYTES).includes(0)
}

/** Whether this entry of an archive is a program, a script or a web page, by its name or its first bytes. */
export const isRunnable = (name: string, head: Buffer): boolean =>
  isRunnableName(name) || isProgram(head) || isPage(head)

/** Whether the first bytes are HTML or SVG, in any encoding that browsers recognise by a byte order mark. */
function isPage(head: Buffer): boolean {
  const text = decode(head)
  return MARKUP.test(text) && PAGE.test(text)
}

/** Returns text in UTF-8 or UTF-16 without its byte order mark; other encodings keep their ASCII letters. */
export function decode(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2)
  if (mark === '\xff\xfe' || mark === '\xfe\xff')
    return new TextDecoder(mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be').decode(bytes)
  return bytes.toString('latin1').replace(/^ï»¿/, '')
}
