import { describe, expect, it } from 'vitest'
import { makeCnp } from '../../../../../shared/romania/cnp.ts'
import {
  encodeText,
  SYNTAXES,
  type Tags,
  writeDamagedDicom,
  writeDeepSequence,
  writeDeflateBomb,
  writeDicom,
  writeDicomDirectory,
  writeDicomWith,
  writeSequence,
} from '../../../../../test/inspection/dicom-files.ts'
import { dicomBytesToRead } from './dicom-elements.ts'
import { findDicomFacts } from './dicom-facts.ts'

const CNP = makeCnp({ sex: 'female', birthDate: '1985-03-12', county: 22, serial: 123 })
const OTHER_CNP = makeCnp({ sex: 'male', birthDate: '1970-01-02', county: 40, serial: 7 })

const PATIENT: Tags = { '0010,0010': 'Ștefănescu^Ana^Maria^Dr^jr', '0010,0020': CNP, '0010,0030': '19850312' }
const EXAMINATION: Tags = {
  '0008,0005': 'ISO_IR 192',
  '0008,0018': '1.2.3.4.5',
  '0008,0020': '20260504',
  '0008,0022': '20260505',
  '0008,0050': 'A-2026-17',
  '0008,0060': 'CT',
  '0008,0080': 'Spitalul Județean',
  '0008,0090': 'Țăranu^Ion',
  '0008,1030': 'CT torace nativ',
}
const IMAGE: Tags = { '0018,0015': 'CHEST', '0020,000e': '1.2.3.4', '0028,0010': 512, '0028,0011': 256 }
const ALL: Tags = { ...EXAMINATION, ...PATIENT, ...IMAGE }
const STATED = [
  `cnp ${CNP} 0010,0020`,
  'name Ștefănescu Ana Maria 0010,0010',
  'birth-date 1985-03-12 0010,0030',
  'accession A-2026-17 0008,0050',
  'examined-on 2026-05-04 0008,0020',
  'examined-on 2026-05-05 0008,0022',
  'doctor Țăranu Ion 0008,0090',
  'institution Spitalul Județean 0008,0080',
  'instance 1.2.3.4.5 0008,0018',
  'series 1.2.3.4 0020,000e',
]

/** Reads a file as the inspection does: its beginning only. */
const read = (file: Buffer) => {
  const start = file.subarray(0, dicomBytesToRead(file.subarray(0, 4096)))
  return findDicomFacts(start, start.length === file.length)
}

/** Returns the facts, each as a line; `?` after a doubtful one. Without the patient's tags: `unreadable`. */
async function factsOf(file: Buffer): Promise<string[]> {
  const { facts, isReadable } = await read(file)
  const lines = facts.map(
    ({ kind, value, place, isDoubtful }) => `${kind} ${value} ${place.tag}${isDoubtful ? ' ?' : ''}`,
  )
  return isReadable ? lines : [...lines, 'unreadable']
}

const doubtful = (facts: readonly string[]) => facts.map((fact) => `${fact} ?`)

describe('the tags of a DICOM file', () => {
  it.each(Object.keys(SYNTAXES) as (keyof typeof SYNTAXES)[])('are read in %s', async (syntax) => {
    const file = writeDicom(ALL, { syntax, pixels: 200_000 })
    expect(await factsOf(file)).toEqual(STATED)
    expect((await read(file)).details).toEqual({
      modality: 'CT',
      studyDate: '2026-05-04',
      description: 'CT torace nativ',
      bodyPart: 'CHEST',
      rows: 512,
      columns: 256,
    })
  })

  it('are no CNP unless they are valid, and none of another kind of number', async () => {
    const wrong = `${CNP.slice(0, 12)}${(Number(CNP.at(-1)) + 1) % 10}`
    const cnpsOf = async (tags: Tags) =>
      (await read(writeDicom({ ...ALL, ...tags }))).facts.filter(({ kind }) => kind === 'cnp')
    for (const id of ['PAC-00017', wrong, `${CNP}7`, '0', ''])
      expect(await cnpsOf({ '0010,0020': id })).toEqual([])
    expect(await cnpsOf({ '0010,1000': CNP })).toEqual([
      { kind: 'cnp', value: CNP, place: { in: 'tag', tag: '0010,0020' } },
    ])
    expect(await cnpsOf({ '0010,0020': 'PAC-17', '0010,1000': `X1\\${OTHER_CNP}\\${wrong}` })).toEqual([
      { kind: 'cnp', value: OTHER_CNP, place: { in: 'tag', tag: '0010,1000' } },
    ])
  })

  it('are no fact where they are empty, no date, or no identifier', async () => {
    const empty = { '0010,0010': '^^', '0010,0020': '', '0010,0030': '19851332', '0008,0018': 'x.y' }
    expect(await factsOf(writeDicom(empty))).toEqual([])
    expect(await factsOf(writeDicom({ '0010,0010': '', '0010,0030': '20990101' }))).toEqual([])
    expect(await factsOf(writeDicom({ '0010,0010': '', '0010,0030': '1985.03.12' }))).toEqual([
      'birth-date 1985-03-12 0010,0030',
    ])
  })

  it('are shortened to what the database keeps', async () => {
    const { facts, details } = await read(
      writeDicom({ '0008,0080': 'a'.repeat(5000), '0008,1030': 'b'.repeat(5000), '0010,0010': 'x' }),
    )
    expect(facts.find(({ kind }) => kind === 'institution')?.value).toHaveLength(300)
    expect(details.description).toHaveLength(100)
  })
})

describe('the letters of a name', () => {
  const nameOf = async (characterSet: string | null, name: Buffer) => {
    const tags = { '0010,0010': name, ...(characterSet !== null && { '0008,0005': characterSet }) }
    return factsOf(writeDicom(tags))
  }
  const old = 'Ştefănescu^Ţăran'
  const escaped = (text: Buffer) => Buffer.concat([Buffer.from('\x1b-B'), text])
  const latin2 = (text: string) => encodeText(text, 'iso-8859-2')

  it.each([
    ['ISO_IR 100', encodeText('Müller^José', 'iso-8859-1'), 'Müller José'],
    ['ISO_IR 101', latin2(old), 'Ștefănescu Țăran'],
    ['ISO_IR 192', Buffer.from('Ștefănescu^Țăran'), 'Ștefănescu Țăran'],
    ['ISO_IR 6', Buffer.from('Stefanescu^Taran'), 'Stefanescu Taran'],
    [
      '\\ISO 2022 IR 101',
      Buffer.concat([escaped(latin2('Ştefănescu')), Buffer.from('^'), escaped(latin2('Ţăran'))]),
      'Ștefănescu Țăran',
    ],
    [
      'ISO 2022 IR 100\\ISO 2022 IR 101',
      Buffer.concat([escaped(latin2('Şerban')), Buffer.from('^'), encodeText('Muñoz', 'iso-8859-1')]),
      'Șerban Muñoz',
    ],
    // The second byte of the first letter is that of a delimiter.
    ['GB18030', Buffer.from('Wang^\x81^', 'latin1'), 'Wang 乛'],
    ['GB18030', Buffer.from('Wang^XiaoDong=\xcd\xf5^\xd0\xa1\xb6\xab', 'latin1'), 'Wang XiaoDong'],
    [
      '\\ISO 2022 IR 87',
      Buffer.from('Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B', 'latin1'),
      'Yamada Tarou ?',
    ],
    [null, Buffer.from('Stefanescu^Taran'), 'Stefanescu Taran'],
    [null, encodeText(old, 'windows-1250'), 'Ștefănescu Țăran ?'],
    [null, Buffer.from(old), 'Ștefănescu Țăran ?'],
    ['', latin2(old), 'Ștefănescu Țăran ?'],
    ['ISO_IR 192', latin2('Popescu^Ştefan'), 'Popescu �tefan ?'],
  ])('are read in the character set %s', async (characterSet, name, expected) => {
    const [, value, doubt = ''] = /^(.*?)( \?)?$/.exec(expected)!
    expect(await nameOf(characterSet, name)).toEqual([`name ${value} 0010,0010${doubt}`])
  })
})

describe('a DICOM file that is not as it should be', () => {
  it('is readable up to where its patient is, wherever it is cut off', async () => {
    const blob = { '0009,1001': Buffer.alloc(10_000, 1) }
    const file = writeDicom({ ...ALL, ...blob }, { pixels: 9000 })
    const patientAt = file.indexOf('Ștefănescu')
    const imageAt = file.indexOf('CHEST')
    for (let length = 0; length <= file.length; length += 1024) {
      const facts = await factsOf(file.subarray(0, length))
      if (length >= imageAt) expect(facts).toEqual(STATED)
      else expect(facts.at(-1)).toBe('unreadable')
      if (length < patientAt) expect(facts.join()).not.toContain('name')
    }
    expect(await factsOf(file.subarray(0, patientAt + 4))).toEqual([
      ...doubtful(STATED.slice(3, 9)),
      'unreadable',
    ])
  })

  it('is unreadable if its patient is after the bytes that are read', async () => {
    const file = writeDicom({ ...ALL, '0009,1001': Buffer.alloc(70_000, 1) })
    expect(await factsOf(file)).toEqual([...doubtful(STATED.slice(3, 9)), 'unreadable'])
  })

  it('may unpack to a gibibyte, of which only the beginning is unpacked', async () => {
    expect(await factsOf(writeDeflateBomb(ALL))).toEqual(STATED)
    const cut = writeDicom(ALL, { syntax: 'deflated' })
    expect((await factsOf(cut.subarray(0, 300))).at(-1)).toBe('unreadable')
  })

  it('may have sequences in sequences, which are not entered', async () => {
    const foreign = writeSequence({ '0010,0010': 'Alt^Pacient', '0010,0020': OTHER_CNP })
    expect(await factsOf(writeDicom({ ...ALL, '0008,1140': foreign }))).toEqual(STATED)
    const { '0008,0005': _, ...plain } = EXAMINATION
    for (const depth of [1, 2, 1500]) {
      const deep = writeDeepSequence('0008,1140', depth)
      expect(await factsOf(writeDicomWith(EXAMINATION, deep, { ...PATIENT, ...IMAGE }))).toEqual(STATED)
    }
    const deepest = writeDeepSequence('0008,1140', 200_000)
    expect((await factsOf(writeDicomWith(plain, deepest, PATIENT))).at(-1)).toBe('unreadable')
    const later = writeDeepSequence('0040,0275', 200_000)
    expect(await factsOf(writeDicomWith(ALL, later, {}))).toEqual(STATED)
  })

  it('may have a sequence without an end', async () => {
    const endless = writeDeepSequence('0008,1140', 1, false)
    const facts = await factsOf(writeDicomWith(EXAMINATION, endless, { ...PATIENT, ...IMAGE }))
    expect(facts).toEqual([...doubtful(STATED.slice(3, 9)), 'unreadable'])
  })

  it('is unreadable if a length is wrong, or a tag comes twice', async () => {
    const name = 'Popescu^Ana '
    const rest = [
      ['0010,0020', CNP],
      ['0028,0010', 'xx'],
    ] as [string, string][]
    expect(await factsOf(writeDamagedDicom([['0010,0010', name], ...rest]))).toEqual([
      `cnp ${CNP} 0010,0020`,
      'name Popescu Ana 0010,0010',
    ])
    for (const length of [0, 4, 11, 13, 16, 60, 60_000]) {
      const facts = await factsOf(writeDamagedDicom([['0010,0010', name, length], ...rest]))
      expect(facts.at(-1)).toBe('unreadable')
      expect(facts.slice(0, -1).every((fact) => fact.endsWith('?'))).toBe(true)
    }
    const twice = await factsOf(writeDamagedDicom([...rest.slice(0, 1), ['0010,0010', name], ...rest]))
    expect(twice).toEqual([`cnp ${CNP} 0010,0020 ?`, 'unreadable'])
  })

  it('is unreadable without meta information, or with nothing after it', async () => {
    const bare = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')])
    expect(await factsOf(bare)).toEqual(['unreadable'])
    expect(await factsOf(Buffer.concat([bare, Buffer.alloc(300, 0xff)]))).toEqual(['unreadable'])
    expect(await factsOf(writeDamagedDicom([]))).toEqual(['unreadable'])
    expect(await factsOf(writeDamagedDicom([['0008,0060', 'CT']]))).toEqual(['unreadable'])
  })
})

describe('the table of contents of a disc', () => {
  it('names all its patients, also those after the first 64 KiB', async () => {
    const filler = Array.from({ length: 1500 }, () => ({ '0008,0060': 'CT', '0008,1030': 'x'.repeat(40) }))
    const other = { '0010,0010': 'Popescu^Ion', '0010,0020': OTHER_CNP }
    const file = writeDicomDirectory([
      { ...PATIENT, '0008,0005': 'ISO_IR 192' },
      { '0010,0010': encodeText('Ştefan^Ion', 'iso-8859-2'), '0008,0005': 'ISO_IR 101' },
      ...filler,
      other,
    ])
    expect(file.length).toBeGreaterThan(100_000)
    expect(await factsOf(file)).toEqual([
      ...STATED.slice(0, 3),
      'name Ștefan Ion 0010,0010',
      `cnp ${OTHER_CNP} 0010,0020`,
      'name Popescu Ion 0010,0010',
    ])
    expect((await factsOf(file.subarray(0, 60_000))).at(-1)).toBe('unreadable')
    const many = Array.from({ length: 2000 }, (_, index) => ({ '0010,0010': `Om^${index}` }))
    expect((await factsOf(writeDicomDirectory(many))).at(-1)).toBe('name Om 1999 0010,0010')
  })
})
