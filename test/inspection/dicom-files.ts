import { constants, deflateRawSync } from 'node:zlib'

export const SYNTAXES = {
  'implicit little endian': '1.2.840.10008.1.2',
  'explicit little endian': '1.2.840.10008.1.2.1',
  'explicit big endian': '1.2.840.10008.1.2.2',
  deflated: '1.2.840.10008.1.2.1.99',
  'JPEG baseline': '1.2.840.10008.1.2.4.50',
  'JPEG lossless': '1.2.840.10008.1.2.4.70',
  'JPEG-LS': '1.2.840.10008.1.2.4.80',
  'JPEG 2000': '1.2.840.10008.1.2.4.90',
  RLE: '1.2.840.10008.1.2.5',
} as const
type Syntax = keyof typeof SYNTAXES

const CT = '1.2.840.10008.5.1.4.1.1.2'
const DIRECTORY = '1.2.840.10008.1.3.10'
const UNDEFINED_LENGTH = 0xff_ff_ff_ff

/** The types of the elements that tests write. */
const TYPES: Readonly<Record<string, string>> = {
  '0002,0002': 'UI',
  '0002,0010': 'UI',
  '0004,1220': 'SQ',
  '0004,1430': 'CS',
  '0008,0005': 'CS',
  '0008,0018': 'UI',
  '0008,0020': 'DA',
  '0008,0022': 'DA',
  '0008,0050': 'SH',
  '0008,0060': 'CS',
  '0008,0080': 'LO',
  '0008,0090': 'PN',
  '0008,1030': 'LO',
  '0008,1140': 'SQ',
  '0009,1001': 'OB',
  '0010,0010': 'PN',
  '0010,0020': 'LO',
  '0010,0030': 'DA',
  '0010,1000': 'LO',
  '0018,0015': 'CS',
  '0020,000e': 'UI',
  '0028,0010': 'US',
  '0028,0011': 'US',
  '0040,0275': 'SQ',
  '7fe0,0010': 'OW',
}
const LONG: ReadonlySet<string> = new Set(['OB', 'OW', 'SQ', 'UN'])
const TEXTS: ReadonlySet<string> = new Set(['CS', 'DA', 'SH', 'LO', 'PN'])

/** Values by tag, such as `0010,0010`; a number is written in two bytes, a text in UTF-8. */
export type Tags = Readonly<Record<string, string | number | Buffer>>
type Encoding = { isImplicit: boolean; isBig: boolean }
const EXPLICIT: Encoding = { isImplicit: false, isBig: false }

/** `length`: the length that the element names, if it is not that of its value. */
function writeElement(
  tag: string,
  value: string | number | Buffer,
  { isImplicit, isBig }: Encoding,
  length?: number,
): Buffer {
  const type = TYPES[tag]!
  const two = (number: number) => {
    const bytes = Buffer.alloc(2)
    bytes[isBig ? 'writeUInt16BE' : 'writeUInt16LE'](number)
    return bytes
  }
  const four = (number: number) => {
    const bytes = Buffer.alloc(4)
    bytes[isBig ? 'writeUInt32BE' : 'writeUInt32LE'](number)
    return bytes
  }
  let bytes = typeof value === 'number' ? two(value) : Buffer.from(value as Buffer)
  if (bytes.length % 2 === 1) bytes = Buffer.concat([bytes, Buffer.from(TEXTS.has(type) ? ' ' : '\0')])
  const named = length ?? bytes.length
  const [group = '', number = ''] = tag.split(',')
  const size = isImplicit
    ? [four(named)]
    : LONG.has(type)
      ? [Buffer.from(type), two(0), four(named)]
      : [Buffer.from(type), two(named)]
  return Buffer.concat([two(Number.parseInt(group, 16)), two(Number.parseInt(number, 16)), ...size, bytes])
}

const writeElements = (tags: Tags, encoding: Encoding): Buffer =>
  Buffer.concat(
    Object.entries(tags)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([tag, value]) => writeElement(tag, value, encoding)),
  )

/** Returns the first 128 bytes, the mark and the meta information of a DICOM file. */
function writeMeta(syntax: string, sopClass: string): Buffer {
  const meta = writeElements({ '0002,0002': sopClass, '0002,0010': syntax }, EXPLICIT)
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), meta])
}

const item = (content: Buffer, length = content.length) => {
  const head = Buffer.from('feff00e000000000', 'hex')
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, content])
}
const END_OF_ITEM = Buffer.from('feff0de000000000', 'hex')
const END_OF_SEQUENCE = Buffer.from('feffdde000000000', 'hex')

/** Returns a DICOM file with these tags and with pixels, which nobody decodes. */
export function writeDicom(
  tags: Tags,
  { syntax = 'explicit little endian', pixels = 512 }: { syntax?: Syntax; pixels?: number } = {},
): Buffer {
  const encoding = {
    isImplicit: syntax === 'implicit little endian',
    isBig: syntax === 'explicit big endian',
  }
  const isPlain = syntax.includes('endian') || syntax === 'deflated'
  const image = Buffer.alloc(pixels, 7)
  const pixelData = isPlain
    ? writeElement('7fe0,0010', image, encoding)
    : Buffer.concat([
        writeElement('7fe0,0010', '', encoding, UNDEFINED_LENGTH),
        item(Buffer.alloc(0)),
        item(image),
        END_OF_SEQUENCE,
      ])
  const content = Buffer.concat([writeElements(tags, encoding), pixelData])
  return Buffer.concat([
    writeMeta(SYNTAXES[syntax], CT),
    syntax === 'deflated' ? deflateRawSync(content) : content,
  ])
}

/** Returns a DICOM file of these elements, in this order, each with the length that it names if that is another. */
export const writeDamagedDicom = (
  elements: readonly [tag: string, value: string | Buffer, length?: number][],
) =>
  Buffer.concat([
    writeMeta(SYNTAXES['explicit little endian'], CT),
    ...elements.map(([tag, value, length]) => writeElement(tag, value, EXPLICIT, length)),
  ])

/** Returns an element with sequences in sequences, `depth` levels deep, of undefined lengths; `isClosed`: they end. */
export function writeDeepSequence(tag: string, depth: number, isClosed = true): Buffer {
  const level = Buffer.concat([
    writeElement(tag, '', EXPLICIT, UNDEFINED_LENGTH),
    item(Buffer.alloc(0), UNDEFINED_LENGTH),
  ])
  const end = Buffer.concat([END_OF_ITEM, END_OF_SEQUENCE])
  return Buffer.concat([...Array(depth).fill(level), ...(isClosed ? Array(depth).fill(end) : [])])
}

/** Returns a sequence of one item. */
export const writeSequence = (tags: Tags): Buffer => item(writeElements(tags, EXPLICIT))

/** Returns an explicit little endian file in which `raw` follows the elements with smaller tags. */
export const writeDicomWith = (before: Tags, raw: Buffer, after: Tags): Buffer =>
  Buffer.concat([
    writeMeta(SYNTAXES['explicit little endian'], CT),
    writeElements(before, EXPLICIT),
    raw,
    writeElements(after, EXPLICIT),
  ])

/** Returns a deflated file that unpacks to these tags and then to a gibibyte of zeros; `isDirectory`: a DICOMDIR. */
export function writeDeflateBomb(tags: Tags, isDirectory = false): Buffer {
  const start = Buffer.concat([
    writeElements(tags, EXPLICIT),
    writeElement('7fe0,0010', '', EXPLICIT, 1024 ** 3),
  ])
  const zeros = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([
    writeMeta(SYNTAXES.deflated, isDirectory ? DIRECTORY : CT),
    deflateRawSync(start, { finishFlush: constants.Z_FULL_FLUSH }),
    ...Array(1024).fill(zeros),
  ])
}

/** Returns the table of contents of a disc, with one record for each of these. */
export function writeDicomDirectory(records: readonly Tags[]): Buffer {
  const items = Buffer.concat(records.map((tags) => writeSequence({ '0004,1430': 'PATIENT', ...tags })))
  return Buffer.concat([
    writeMeta(SYNTAXES['explicit little endian'], DIRECTORY),
    writeElement('0004,1220', items, EXPLICIT),
  ])
}

/** Returns a text in an encoding of one byte a letter. */
export function encodeText(text: string, encoding: string): Buffer {
  const letters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return Buffer.from([...text].map((letter) => letters.indexOf(letter)))
}
