import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../../db/factories.ts'
import { makeCnp } from '../../../../../shared/romania/cnp.ts'
import { makeImage, makeWord, makeZip } from '../../../../../test/hostile-files.ts'
import { writeDicom } from '../../../../../test/inspection/dicom-files.ts'
import { misleadingPages, plainPages } from '../../../../../test/inspection/misleading-pdfs.ts'
import { paragraph, wordDocument } from '../../../../../test/inspection/office-files.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../../test/test-server.ts'

const READ = `query ($id: ID!) { upload(id: $id) { state version files { id name facts }
  comparison { isCut lines { what result disagreeing { value } } } } }`
const ACCEPT = `mutation ($id: ID!, $version: Int!, $openedFileIds: [ID!]) {
  acceptUpload(id: $id, version: $version, openedFileIds: $openedFileIds) { state } }`

let server: TestServer
let reviewer: TestClient
let institutionId: string
let slug: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const features = ['admin::review-files' as const, 'patient::files' as const]
  reviewer = await server.signIn((await makeUser(server.db, { features })).email)
  institutionId = (await makeInstitution(server.db)).id
  slug = (await makeCategory(server.db, { review_required: false })).slug
})

const OTHER = makeCnp({ sex: 'male', birthDate: '1966-06-06', county: 12, serial: 66 })
const cnpAt = (serial: number) => makeCnp({ sex: 'female', birthDate: '1980-05-05', county: 12, serial })

type File = { id: string; name: string; facts: { wholeText?: true } }
type Content = (patientCnp: string) => Buffer | string | Promise<Buffer>

/** Submits files for a patient in a category without reviewers, and runs the check and the policy. */
async function submit(files: Record<string, Content>) {
  const patient = await makePatient(server.db, { surname: 'Mureșan', given_names: 'Ioana' })
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institutionId })
  const made = await Promise.all(
    Object.entries(files).map(async ([name, make]) => ({
      bytes: Buffer.from(await make(patient.cnp!)),
      name,
      kind: name.endsWith('.pdf') ? ('pdf' as const) : ('other' as const),
      scan_result: 'pending' as const,
    })),
  )
  const { id } = await makeUpload(server.db, server.services.storage, {
    state: 'checking',
    patient_id: patient.id,
    institution_id: institutionId,
    category_slug: slug,
    files: made,
  })
  await server.services.jobs.enqueue(server.db, 'check-upload', { uploadId: id })
  await server.runJobs()
  return { id, ...(await reviewer.runQuery(READ, { id })).upload }
}

/** Accepts with all files opened and no reason; returns the sentences of the holds. */
async function holdsOf({ id, version, files }: Awaited<ReturnType<typeof submit>>): Promise<string[]> {
  const openedFileIds = files.map((file: { id: string }) => file.id)
  const { errors } = await reviewer.graphql(ACCEPT, { id, version, openedFileIds })
  const fields = errors[0]?.extensions.fields ?? []
  return fields.filter(({ field }) => field === 'holds').map(({ message }) => message)
}

describe('more facts than are kept', () => {
  const numbers = Array.from({ length: 400 }, (_, index) => `Nr. examinare: EX-${10_000 + index}`).join('\n')

  it('leave those about people', async () => {
    const upload = await submit({
      'lung.txt': (cnp) => `CNP ${cnp}\n${numbers}\nPacient: Țăranu Vlad\nData nașterii: 06.06.1966`,
    })
    expect(await holdsOf(upload)).toEqual([
      'Nu se potrivește (Nume): „lung.txt”.',
      'Nu se potrivește (Data nașterii): „lung.txt”.',
    ])
  })

  it('leave the person of the last entry of an archive, before repetitions in other entries', async () => {
    const entries = Array.from({ length: 144 }, (_, index): [string, Buffer] => {
      const [day, name, id] = [index % 12, Math.floor(index / 12), index]
      const tags = {
        '0010,0010': `Mureșan^Ioana ${'ABCDEFGHIJKL'[name]}`,
        '0010,0030': `198001${10 + day}`,
        '0010,0020': cnpAt(1 + (id % 3)),
      }
      return [`${index}.dcm`, writeDicom({ ...tags, '0008,0005': 'ISO_IR 192' })]
    })
    const last = writeDicom({ '0010,0010': 'Popa^Vlad', '0010,0030': '19660606' })
    const zip = makeZip({ ...Object.fromEntries(entries), 'ultimul.dcm': last })
    const { files, comparison } = await submit({ 'studiu.zip': () => zip })
    const [, names, births] = comparison.lines.map(({ disagreeing }: { disagreeing: { value: string }[] }) =>
      disagreeing.map(({ value }) => value),
    )
    expect(names).toContain('Popa Vlad')
    expect(births).toContain('1966-06-06')
    expect(files[0].facts).toMatchObject({ factsCut: true })
  })

  it('about people are a fact of the file', async () => {
    const cnps = Array.from({ length: 320 }, (_, index) => cnpAt(index + 1)).join('\n')
    const { files, comparison, state } = await submit({ 'multe.txt': (cnp) => `${cnp}\n${cnps}\n${OTHER}` })
    expect(files[0].facts).toMatchObject({ factsCut: true })
    expect(comparison.isCut).toBe(true)
    expect(state).toBe('in_review')
  })
})

describe('a PDF with the patient’s CNP', () => {
  const submitPages = async (pages: (text: string) => Record<string, Buffer>) => {
    const { state, files } = await submit(
      Object.fromEntries(Object.keys(pages('')).map((name) => [name, (cnp) => pages(`CNP ${cnp}`)[name]!])),
    )
    const confirming = files.filter(({ facts }: File) => facts.wholeText).map(({ name }: File) => name)
    return { state, names: files.map(({ name }: File) => name), confirming }
  }

  it('whose pages show their text, lines and boxes confirms the patient', async () => {
    const { state, names, confirming } = await submitPages(plainPages)
    expect(confirming).toEqual(names)
    expect(state).toBe('released')
  })

  it('waits for a reviewer if a page shows something else than its text', async () => {
    const { state, names, confirming } = await submitPages(misleadingPages)
    expect(names).toHaveLength(Object.keys(misleadingPages('')).length)
    expect(confirming).toEqual([])
    expect(state).toBe('in_review')
  })
})

describe('another person’s CNP', () => {
  const [first, birth, rest] = [OTHER[0]!, OTHER.slice(1, 7), OTHER.slice(7)]
  const written: [string, string][] = [
    ['with four spaces', `${first}    ${birth}    ${rest}`],
    ['with no-break spaces', `${first}\u00a0${birth}\u00a0${rest}`],
    ['with several thin spaces', `${first}\u2009\u2009\u2009\u2009${birth}\u2009\u2009\u2009\u2009${rest}`],
    ['with long dashes', `${first}\u2014${birth}\u2014${rest}`],
    ['with leaders', `${first}......${birth}......${rest}`],
    ['in fullwidth digits', [...OTHER].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')],
    ['in Arabic digits', [...OTHER].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')],
    ['in boxes', [...OTHER].join('    ')],
    ['in boxes of a table', [...OTHER].join('\t|\t')],
    ['with invisible characters', [...OTHER].join('\u200b')],
  ]
  it.each(written)('%s holds the upload', async (_how, text) => {
    const upload = await submit({ 'buletin.txt': () => `Rezultat\nCNP ${text}\nhemoglobina 14,2` })
    expect(await holdsOf(upload)).toEqual(['Nu se potrivește (CNP): „buletin.txt”.'])
  })

  it.each(written)('%s beside the patient’s waits for a reviewer', async (_how, text) => {
    const { state } = await submit({ 'buletin.txt': (cnp) => `CNP ${cnp}\nMama ${text}` })
    expect(state).toBe('in_review')
  })

  it('in digits that are far apart does not hold an upload that its own CNP confirms', async () => {
    const upload = await submit({
      'buletin.txt': (cnp) => `CNP ${cnp}\nCod ${first}      ${birth}      ${rest}`,
    })
    expect(await holdsOf(upload)).toEqual([])
  })
})

describe('a file that was read only in part', () => {
  const filler = 'hemoglobina 14,2 în limite\n'.repeat(12_000)

  it('holds the upload, and still states the CNPs of its end', async () => {
    const upload = await submit({
      'lung.txt': (cnp) => `CNP ${cnp}\n${filler}`,
      'doi.txt': (cnp) => `CNP ${cnp}\n${filler}Al doilea: CNP ${OTHER}`,
    })
    expect(await holdsOf(upload)).toEqual([
      'Nu se potrivește (CNP): „doi.txt”.',
      'Citit numai în parte: 2 fișiere.',
    ])
    expect(upload.comparison.lines[1].result).toBe('unread')
  })

  it('is an archive of which an entry was not read; its texts and documents are read', async () => {
    const report = (text: string) => makeWord({ 'word/document.xml': wordDocument(paragraph(text)) })
    const word = await report('Pacient: Țăranu Vlad')
    const upload = await submit({
      'text.zip': (cnp) =>
        makeZip({ 'a.txt': Buffer.from(`CNP ${cnp}`), 'b/c.csv': Buffer.from(`CNP;${OTHER}`) }),
      'word.zip': () => makeZip({ 'scrisoare.docx': word }),
      'poza.zip': async () => makeZip({ 'poza.png': await makeImage('png') }),
    })
    expect(await holdsOf(upload)).toEqual([
      'Nu se potrivește (CNP): „text.zip”.',
      'Nu se potrivește (Nume): „word.zip”.',
      'Citit numai în parte: „poza.zip”.',
    ])
    const stated = await server.db
      .selectFrom('file_fact')
      .select(['kind', 'place'])
      .where(
        'file_id',
        'in',
        upload.files.map(({ id }: File) => id),
      )
      .execute()
    expect(stated.map(({ place }) => (place as { entry?: string }).entry)).toEqual([
      'a.txt',
      'b/c.csv',
      'scrisoare.docx',
    ])
  })
})

describe('a value that cannot be read', () => {
  it.each([
    'Data nașterii: 31.02.198?',
    'Data nașterii: 31.02.1985',
    'Data nașterii 1985',
    'CNP: 12345',
    'CNP mama: 2\nCNP: *********3457',
    'CNP\t12345',
    'Cod numeric personal: 185O101123456',
    'Pacient: I0N P0PESCU',
    'Pacient: Țăranu',
    'Nume și prenume: Ț. V.',
  ])('after a label leaves the upload to a reviewer: %s', async (line) => {
    const { state } = await submit({ 'buletin.txt': (cnp) => `CNP ${cnp}\n${line}\n` })
    expect(state).toBe('in_review')
  })

  it('in a PDF too', async () => {
    const page = (text: string) => plainPages(text)['simplu.pdf']!
    const { state } = await submit({ 'a.pdf': (cnp) => page(`CNP: ${cnp} Data nasterii: 31.02.1985`) })
    expect(state).toBe('in_review')
  })

  it.each([
    'Data nașterii: ______\nCNP:\nSemnătura:',
    'CNP: -',
    'Medic: Popa\nNume: P1',
    'Eșantion n 45, 31.02.1985',
  ])('is none where a form is empty or is not of the person: %s', async (line) => {
    const { state } = await submit({ 'buletin.txt': (cnp) => `CNP: ${cnp}\n\n${line}\n` })
    expect(state).toBe('released')
  })
})
