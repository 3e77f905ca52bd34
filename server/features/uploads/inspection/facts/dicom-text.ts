/** `isDoubtful`: the bytes were decoded with a guess, or not all of them could be decoded. */
export type DicomText = { text: string; isDoubtful: boolean }

/** Encodings by the number of their registration, as in `ISO_IR 101` and `ISO 2022 IR 101`. */
const BY_REGISTRATION: Readonly<Record<string, string>> = {
  13: 'shift_jis',
  58: 'gbk',
  100: 'iso-8859-1',
  101: 'iso-8859-2',
  109: 'iso-8859-3',
  110: 'iso-8859-4',
  126: 'iso-8859-7',
  127: 'iso-8859-6',
  138: 'iso-8859-8',
  144: 'iso-8859-5',
  148: 'iso-8859-9',
  149: 'euc-kr',
  166: 'windows-874',
  192: 'utf-8',
  203: 'iso-8859-15',
}
const BY_NAME: Readonly<Record<string, string>> = { GB18030: 'gb18030', GBK: 'gbk' }
/** In these a part of a character may have the byte of a delimiter; they know no escape sequences. */
const DECODED_WHOLE: ReadonlySet<string> = new Set(['utf-8', 'gb18030', 'gbk', 'shift_jis'])

/** The registrations that escape sequences switch to, by the bytes after ESC. */
const DESIGNATED: Readonly<Record<string, string>> = {
  '-A': '100',
  '-B': '101',
  '-C': '109',
  '-D': '110',
  '-F': '126',
  '-G': '127',
  '-H': '138',
  '-L': '144',
  '-M': '148',
  '-T': '166',
  '-b': '203',
  '$)A': '58',
  '$)C': '149',
}
/** ASCII, and the Japanese variant of it: they leave the letters above 0x7F as they are. */
const PLAIN = new Set(['(B', '(J'])

const ESCAPE = 0x1b
/** After these an escape sequence ends: `\`, `^`, `=`, and the ends of lines. */
const DELIMITERS: ReadonlySet<number> = new Set([...Buffer.from('\\^=\t\n\f\r')])

/** `guess`: the file does not say it; `unknown`: an escape sequence that this table does not have. */
type Encoding = string | 'guess' | 'unknown'

/** Returns the encoding that a value of Specific Character Set (0008,0005) names. */
function findEncoding(name: string): Encoding {
  const registration = /^ISO[ _-]?(?:2022[ _-]?)?IR[ _-]?(\d+)$/.exec(name)?.[1]
  return BY_NAME[name] ?? BY_REGISTRATION[registration ?? ''] ?? 'guess'
}

/**
 * Decodes a text of a DICOM file. `characterSet` is the file's value of (0008,0005), empty if there is none;
 * escape sequences are removed, and switch the table of what follows up to the next delimiter.
 */
export function decodeDicomText(bytes: Uint8Array, characterSet: string): DicomText {
  const initial = findEncoding(characterSet.split('\\')[0]!.trim())
  if (DECODED_WHOLE.has(initial)) return decodeRun(bytes, initial)
  const parts: DicomText[] = []
  let encoding = initial
  let start = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (DELIMITERS.has(byte)) {
      parts.push(decodeRun(bytes.subarray(start, at), encoding), {
        text: String.fromCharCode(byte),
        isDoubtful: false,
      })
      encoding = initial
      start = at + 1
    } else if (byte === ESCAPE) {
      parts.push(decodeRun(bytes.subarray(start, at), encoding))
      const sequence = readSequence(bytes, at + 1)
      if (!PLAIN.has(sequence)) encoding = BY_REGISTRATION[DESIGNATED[sequence] ?? ''] ?? 'unknown'
      else if (encoding === 'unknown') encoding = initial
      at += sequence.length
      start = at + 1
    }
  }
  parts.push(decodeRun(bytes.subarray(start), encoding))
  return {
    text: parts.map(({ text }) => text).join(''),
    isDoubtful: parts.some(({ isDoubtful }) => isDoubtful),
  }
}

/** Returns an escape sequence without ESC: bytes from 0x20 to 0x2F and a last one. */
function readSequence(bytes: Uint8Array, start: number): string {
  let end = start
  while (end < bytes.length && bytes[end]! >= 0x20 && bytes[end]! <= 0x2f) end += 1
  return Buffer.from(bytes.subarray(start, end + 1)).toString('latin1')
}

function decodeRun(bytes: Uint8Array, encoding: Encoding): DicomText {
  if (encoding === 'unknown') return { text: '', isDoubtful: bytes.length > 0 }
  if (bytes.every((byte) => byte < 0x80))
    return { text: Buffer.from(bytes).toString('latin1'), isDoubtful: false }
  if (encoding === 'guess') return { text: guess(bytes), isDoubtful: true }
  const text = new TextDecoder(encoding).decode(bytes)
  return { text, isDoubtful: text.includes('\ufffd') }
}

/** Devices sold in Romania write UTF-8 or windows-1250 where they name no character set. */
function guess(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}
