import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileFact } from '../../../../../shared/uploads/file-facts.ts'
import {
  makeImage,
  makePdf,
  makeRawPdf,
  makeWord,
  makeZip,
  streamOf,
} from '../../../../../test/hostile-files.ts'
import { createFilers } from '../../../../../test/inspection/filed-upload.ts'
import {
  makeSheet,
  paragraph,
  row,
  table,
  wordDocument,
} from '../../../../../test/inspection/office-files.ts'
import { CNP, makeReports, type Report } from '../../../../../test/inspection/report-layouts.ts'
import { createTestServer, type TestServer } from '../../../../../test/test-server.ts'

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
})

type Stated = Pick<FileFact, 'kind' | 'value' | 'place'> & { is_doubtful: boolean }

/** Files the documents, runs the check and returns the kept facts by the name of the file, with its details. */
async function read(files: Record<string, Uint8Array>) {
  const filed = await filers.file(files)
  const rows = await server.db
    .selectFrom('file_fact')
    .innerJoin('file', 'file.id', 'file_fact.file_id')
    .select(['file.name', 'file_fact.kind', 'value', 'place', 'is_doubtful'])
    .where('file.upload_id', '=', filed.id)
    .orderBy('file.position')
    .orderBy('file_fact.position')
    .execute()
  return {
    ...filed,
    stated: Map.groupBy(rows as unknown as (Stated & { name: string })[], ({ name }) => name),
  }
}

const line = ({ kind, value }: { kind: string; value: string }) => `${kind} ${value}`
const show = (facts: readonly Stated[] = []) =>
  facts.map(({ is_doubtful, ...fact }) => line(fact) + (is_doubtful ? ' ?' : ''))

describe('a report as PDF', () => {
  it('of each of twelve layouts states exactly its facts, with their pages and boxes around the words', async () => {
    const reports = await makeReports()
    expect(Object.keys(reports)).toHaveLength(12)
    const { state, stated } = await read(
      Object.fromEntries(Object.entries(reports).map(([name, { bytes }]) => [name, bytes])),
    )
    expect(state).toBe('in_review')
    const found = Object.keys(reports).map((name) => [name, show(stated.get(name)).sort()])
    const expected = Object.entries(reports).map(([name, { facts }]) => [name, facts.map(line).sort()])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    expect(
      Object.entries(reports).flatMap(([name, report]) => findUncovered(name, report, stated.get(name)!)),
    ).toEqual([])
  })

  it('states what is filled into the fields of a form, and written in notes on the page', async () => {
    const print = (x: number, y: number, words: string) => `BT /F1 12 Tf ${x} ${y} Td (${words}) Tj ET\n`
    const field = (bottom: number, value: string) =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${bottom}) /V (${value}) /Rect [120 ${bottom} 300 ${bottom + 24}] /F 4 >>`
    const resources = '/Resources << /Font << /F1 5 0 R >> >>'
    const form = makeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] /NeedAppearances true >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Annots [6 0 R 7 0 R 8 0 R] ${resources} >>`,
      streamOf('', Buffer.from(print(10, 305, 'Nume si prenume:') + print(10, 265, 'Data nasterii:'))),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      field(298, 'MURESAN MIHAI'),
      field(258, '11.02.1994'),
      '<< /Type /Annot /Subtype /FreeText /Rect [10 200 390 220] /F 4 /DA (/F1 12 Tf) /AP << /N 9 0 R >> >>',
      streamOf(
        `/Type /XObject /Subtype /Form /BBox [0 0 380 20] ${resources}`,
        Buffer.from(print(2, 5, `CNP ${CNP}`)),
      ),
    ])
    const { stated } = await read({ 'formular.pdf': form })
    expect(show(stated.get('formular.pdf')).sort()).toEqual([
      'birth-date 1994-02-11',
      `cnp ${CNP}`,
      'name Muresan Mihai',
    ])
  })

  it('with a page without text says which; one with a password says so', async () => {
    const scan = await makePdf(1, {})
    const { files } = await read({
      'text.pdf': scan,
      'scan.pdf': await makePdf(0, {}),
      'parola.pdf': await makePdf(1, { userPassword: 'x' }),
      'poza.png': await makeImage('png'),
    })
    expect(Object.fromEntries(files.map(({ name, facts }) => [name, facts]))).toEqual({
      'text.pdf': {},
      'scan.pdf': { noText: true, pagesWithoutText: [1] },
      'parola.pdf': { unreadable: 'locked', findings: [{ kind: 'unexamined' }] },
      'poza.png': { noText: true, width: 40, height: 30 },
    })
  })
})

/** Returns the facts whose box does not cover their words, or is larger than the lines that say them. */
const findUncovered = (name: string, { facts }: Report, stated: readonly Stated[]): unknown[] =>
  facts
    .filter(({ kind, value, page, covers: [left, top, width, height] }) => {
      const { place } = stated.find((each) => each.kind === kind && each.value === value)!
      const [l, t, w, h] = place.box ?? [0, 0, 0, 0]
      const isCovered = l <= left && t <= top && l + w >= left + width && t + h >= top + height
      return !(isCovered && place.page === page && place.in === 'text' && w * h < 0.03)
    })
    .map((fact) => ({ name, ...fact }))

describe('an office document', () => {
  it('as DOCX states the facts of its paragraphs, tables, headers and text boxes', async () => {
    const { stated, files } = await read({
      'scrisoare.docx': await makeWord({
        'word/document.xml': wordDocument(
          paragraph('Scrisoare medicală'),
          table(row('Nume', 'Prenume', 'Data nașterii'), row('Mureşan', 'Mihai', '11.02.1994')),
          `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph('Nr. examinare: RMN-778')}</w:txbxContent></mc:Choice></mc:AlternateContent></w:r></w:p>`,
          '<w:p><w:r><w:t>CN</w:t></w:r><w:r><w:t>P: </w:t></w:r><w:del><w:r><w:delText>9</w:delText></w:r></w:del>' +
            `<w:r><w:t>${CNP.slice(0, 5)}</w:t></w:r><w:r><w:t>${CNP.slice(5)}</w:t></w:r></w:p>`,
        ),
        'word/header1.xml': wordDocument(paragraph('Secția: Neurologie')),
      }),
      'gol.docx': await makeWord({ 'word/document.xml': wordDocument() }),
      'rupt.docx': await makeWord({ 'word/document.xml': Buffer.from('<w:document><w:p><w:t>CNP</w:p>') }),
    })
    expect(show(stated.get('scrisoare.docx')).sort()).toEqual([
      'accession RMN-778',
      'birth-date 1994-02-11',
      `cnp ${CNP}`,
      'institution Neurologie',
      'name Mureșan Mihai',
    ])
    expect(files.map(({ facts }) => facts)).toEqual([{}, { noText: true }, { unreadable: 'damaged' }])
  })

  it('as XLSX states the facts of its cells, with their places; dates and CNPs may be numbers', async () => {
    const { stated } = await read({
      'tabel.xlsx': await makeSheet('Fișa 1', [
        ['Nume și prenume', 'CNP', 'Data nașterii'],
        ['MUREȘAN MIHAI', Number(CNP), { date: 34376 }],
      ]),
    })
    expect(
      stated.get('tabel.xlsx')!.map(({ kind, value, place }) => ({ kind, value, cell: place.cell })),
    ).toEqual([
      { kind: 'cnp', value: CNP, cell: 'Fișa 1!B2' },
      { kind: 'name', value: 'Mureșan Mihai', cell: 'Fișa 1!A2' },
      { kind: 'birth-date', value: '1994-02-11', cell: 'Fișa 1!C2' },
    ])
  })

  it('is read in the parts that programs open, whatever other parts say', async () => {
    const relations = (...all: [type: string, target: string][]) => {
      const each = all.map(
        ([type, target]) => `<Relationship Id="rId1" Type="http://x/${type}" Target="${target}"/>`,
      )
      return Buffer.from(`<Relationships>${each.join('')}</Relationships>`)
    }
    const shared = (text: string) => Buffer.from(`<sst><si><t>${text}</t></si></sst>`)
    const { stated } = await read({
      'scrisoare.docx': await makeWord({
        '_rels/.rels': relations(['officeDocument', 'word/Document2.xml']),
        'word/_rels/document2.xml.rels': relations(['header', '/word/antet.xml']),
        'word/document2.xml': wordDocument(paragraph('Pacient: Mureșan Mihai')),
        'word/antet.xml': wordDocument(paragraph(`CNP ${CNP}`)),
      }),
      'tabel.xlsx': await makeSheet('Fișa', [['Pacient: Popescu Ana']], '', {
        'xl/_rels/workbook.xml.rels': relations(
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sharedStrings', 'texte.xml'],
        ),
        'xl/texte.xml': shared('Pacient: Mureșan Mihai'),
      }),
    })
    expect(show(stated.get('scrisoare.docx'))).toEqual([`cnp ${CNP}`, 'name Mureșan Mihai'])
    expect(show(stated.get('tabel.xlsx'))).toEqual(['name Mureșan Mihai'])
  })

  it.each([
    ['with control characters', 'Fi\u0000șa\u202e 1', 'Fișa 1!A1'],
    ['of 60,000 letters', 'a'.repeat(60_000), `${'a'.repeat(60)}!A1`],
  ])('as XLSX with a name of its sheet %s is read, and the place is short', async (_what, name, cell) => {
    const { state, stated } = await read({
      'tabel.xlsx': await makeSheet(name, [['Pacient: Mureșan Mihai']]),
    })
    expect(state).toBe('in_review')
    expect(stated.get('tabel.xlsx')![0]!.place).toEqual({ in: 'text', cell })
  })

  it('that unpacks to more text than is read says so', async () => {
    const many = Array.from({ length: 9_000 }, (_, index) =>
      paragraph(`rând ${index} fără date despre pacient`),
    ).join('')
    const { files } = await read({ 'lung.docx': await makeWord({ 'word/document.xml': wordDocument(many) }) })
    expect(files[0]!.facts).toEqual({ reading: 'incomplete' })
  })
})

describe('a text', () => {
  it('states facts in UTF-8; without it, values with Romanian letters are doubtful', async () => {
    const text = 'Pacient: Mureşan Mihai\r\nData naşterii: 11.02.1994\r\n'
    // Windows-1250: ş is 0xba.
    const old = Buffer.from(text.replaceAll('ş', '\u00ba'), 'latin1')
    const { stated } = await read({
      'nou.txt': Buffer.from(text),
      'vechi.txt': old,
      'tabel.csv': Buffer.from(`\ufeffNume;Prenume;CNP\r\n"Mureșan";"Mihai";"${CNP}"\r\n`),
    })
    expect(show(stated.get('nou.txt'))).toEqual(['name Mureșan Mihai', 'birth-date 1994-02-11'])
    expect(show(stated.get('vechi.txt'))).toEqual(['name Mureșan Mihai ?', 'birth-date 1994-02-11'])
    expect(show(stated.get('tabel.csv'))).toEqual([`cnp ${CNP}`, 'name Mureșan Mihai'])
    expect(stated.get('nou.txt')![1]!.place).toEqual({ in: 'text', line: 2 })
  })
})

describe('the name of a file', () => {
  it('states a CNP, and as doubtful ones a date and a name that is alone between separators', async () => {
    const names = [
      'CT torace - Mureșan Mihai 11.02.1994.png',
      `analize_${CNP}.png`,
      'Ecografie Abdominala 2024.png',
    ]
    const image = await makeImage('png')
    const { stated } = await read(Object.fromEntries(names.map((name) => [name, image])))
    expect(names.map((name) => show(stated.get(name)))).toEqual([
      ['birth-date 1994-02-11 ?', 'name Mureșan Mihai ?'],
      [`cnp ${CNP}`],
      [],
    ])
    expect(stated.get(names[1]!)![0]!.place).toEqual({ in: 'file-name' })
  })
})

describe('archives of hostile office documents', () => {
  it('are read within the limits: deep elements, entities, a bomb of shared texts', async () => {
    const entities =
      '<!DOCTYPE x [<!ENTITY a "1234567890"><!ENTITY b "&a;&a;&a;&a;">]><w:document>&b;</w:document>'
    const { files } = await read({
      'entitati.docx': await makeWord({ 'word/document.xml': Buffer.from(entities) }),
      'adanc.docx': await makeWord({ 'word/document.xml': Buffer.from('<w:p>'.repeat(20_000)) }),
      'bomba.xlsx': await makeSheet('a', [['x']], 'y'.repeat(9_000_000)),
      'arhiva.zip': await makeZip({ 'a.txt': Buffer.from('x') }),
    })
    expect(
      Object.fromEntries(files.map(({ name, facts }) => [name, facts.unreadable ?? facts.reading])),
    ).toEqual({
      'entitati.docx': 'damaged',
      'adanc.docx': 'damaged',
      'bomba.xlsx': 'incomplete',
      'arhiva.zip': undefined,
    })
  })
})
