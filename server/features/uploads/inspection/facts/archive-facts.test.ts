import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeEmptyUpload, makeFile } from '../../../../../db/factories.ts'
import { makeCnp } from '../../../../../shared/romania/cnp.ts'
import type { FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { type Files, makeImage, makePdf, makeWord, makeZip } from '../../../../../test/hostile-files.ts'
import {
  type Tags,
  writeDeflateBomb,
  writeDicom,
  writeDicomDirectory,
} from '../../../../../test/inspection/dicom-files.ts'
import { createFilers } from '../../../../../test/inspection/filed-upload.ts'
import { createTestServer, type TestServer } from '../../../../../test/test-server.ts'
import { createUser } from '../../../../../test/users.ts'
import { replaceFacts, selectFacts } from '../facts.db.ts'
import type { InspectionTask } from '../inspect-file.ts'
import type { Inspection } from '../inspection.ts'
import { openArchiveReader } from './archive-facts.ts'

const WORKER = new URL('../inspect-file-worker.ts', import.meta.url)
const LIMITS = { seconds: 60, memory: 256 * 1024 ** 2 }

const ANA = makeCnp({ sex: 'female', birthDate: '1985-03-12', county: 22, serial: 123 })
const IOANA = makeCnp({ sex: 'female', birthDate: '1985-03-12', county: 22, serial: 124 })
const ION = makeCnp({ sex: 'male', birthDate: '1970-01-02', county: 40, serial: 7 })
const OF_ANA: Tags = { '0010,0010': 'Popescu^Ana', '0010,0020': ANA, '0010,0030': '19850312' }
const OF_IOANA: Tags = { '0010,0010': 'Popescu^Ioana', '0010,0020': IOANA, '0010,0030': '19850312' }

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>
let folder: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
  folder = await mkdtemp(join(tmpdir(), 'archive-facts-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Inspects a file in a sandbox process, as the check of an upload does. */
async function inspect(name: string, bytes: Buffer): Promise<Inspection> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const file = await open(path)
  try {
    const task: InspectionTask = { name, mayConfirm: false, limits: LIMITS }
    return await server.services.sandbox.run(WORKER, task, { limits: LIMITS, file })
  } finally {
    await file.close()
  }
}

/** Returns the facts of an accepted archive, each as a line with its entry, and its details. */
async function read(files: Files | Buffer) {
  const inspection = await inspect('studiu.zip', Buffer.isBuffer(files) ? files : await makeZip(files))
  if (!inspection.accepted) throw new Error(inspection.facts.reason)
  const stated = inspection.stated ?? []
  const lines = stated.map(({ kind, value, place }) => `${kind} ${value} ${place.entry}`)
  return { lines, stated, facts: inspection.facts }
}

/** Returns the slices of a study of three series, by name. */
const makeSlices = (count: number, study = '1.2.9') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const series = `${study}.${1 + (index % 3)}`
      const tags = {
        ...OF_ANA,
        '0008,0018': `${series}.${index + 1}`,
        '0008,0020': '20260504',
        '0008,0050': 'A-17',
        '0008,0060': index === 0 ? 'SR' : 'CT',
        '0020,000e': series,
        '0028,0010': 512,
        '0028,0011': 512,
      }
      return [`CT/${index + 1}.dcm`, writeDicom(tags)]
    }),
  )

const valuesOf = (stated: readonly FileFact[], kind: string) =>
  stated.filter((fact) => fact.kind === kind).map(({ value }) => value)

describe('an archive of one study', () => {
  it.each([600, 2000])('of %i images says once what all of them say', async (count) => {
    const { lines, stated, facts } = await read(await makeZip(makeSlices(count), true))
    expect(lines.slice(0, 6)).toEqual([
      `cnp ${ANA} CT/1.dcm`,
      'name Popescu Ana CT/1.dcm',
      'birth-date 1985-03-12 CT/1.dcm',
      'series 1.2.9.1 CT/1.dcm',
      'series 1.2.9.2 CT/2.dcm',
      'series 1.2.9.3 CT/3.dcm',
    ])
    expect(valuesOf(stated, 'instance')).toHaveLength(64)
    expect(lines.slice(70)).toEqual(['accession A-17 CT/1.dcm', 'examined-on 2026-05-04 CT/1.dcm'])
    expect(facts).toMatchObject({
      entries: count,
      dicom: { modality: 'SR, CT', studyDate: '2026-05-04', rows: 512, images: count, series: 3 },
    })
    expect(facts.unreadEntries).toBeUndefined()
  })

  it('keeps the same identifiers in any order, so that two copies are recognised', async () => {
    const slices = makeSlices(200)
    const first = await read(slices)
    const renamed = Object.entries(slices)
      .reverse()
      .map(([name, bytes]) => [`export/${name}`, bytes] as const)
    const copy = await read(Object.fromEntries(renamed))
    const other = await read(makeSlices(200, '1.2.10'))
    for (const kind of ['series', 'instance']) {
      const values = valuesOf(first.stated, kind)
      expect(new Set(valuesOf(copy.stated, kind))).toEqual(new Set(values))
      expect(valuesOf(other.stated, kind)).not.toContainEqual(expect.toBeOneOf(values))
    }
  })
})

describe('an archive of several people', () => {
  it('names both, also twins, each with the entry', async () => {
    const { lines } = await read({
      ...makeSlices(2),
      'altul/1.dcm': writeDicom(OF_IOANA),
      'altul/2.dcm': writeDicom(OF_IOANA),
    })
    expect(lines.filter((line) => /^(cnp|name|birth)/.test(line))).toEqual([
      `cnp ${ANA} CT/1.dcm`,
      'name Popescu Ana CT/1.dcm',
      'birth-date 1985-03-12 CT/1.dcm',
      `cnp ${IOANA} altul/1.dcm`,
      'name Popescu Ioana altul/1.dcm',
      'birth-date 1985-03-12 altul/1.dcm',
    ])
  })

  it('names the person of a report beside the images, and of the table of contents', async () => {
    const { lines, stated, facts } = await read({
      ...makeSlices(2),
      'raport.pdf': await makePdf(3, {}, `CNP ${ION}`),
      DICOMDIR: writeDicomDirectory([OF_ANA, OF_IOANA]),
    })
    expect(lines).toContain(`cnp ${ION} raport.pdf`)
    expect(stated.find(({ value }) => value === ION)?.place).toMatchObject({ in: 'text', page: 1 })
    expect(lines).toContain(`cnp ${IOANA} DICOMDIR`)
    expect(facts.unreadEntries).toBeUndefined()
  })
})

describe('entries of an archive that say nothing', () => {
  it('are counted, and the first five are named', async () => {
    const { lines, facts } = await read({
      'blocat.pdf': await makePdf(1, { userPassword: 'x', pdfVersion: '1.7' }),
      'rupt.pdf': Buffer.from('%PDF-1.7\nnimic'),
      'poza.jpg': await makeImage('jpeg'),
      'scrisoare.docx': await makeWord(),
      'rupt.dcm': writeDicom(OF_ANA).subarray(0, 200),
      'anonim.dcm': writeDicom({ '0008,0060': 'CT', '0010,0010': '' }),
      'departe.dcm': writeDicom({ ...OF_ANA, '0009,1001': Buffer.alloc(70_000) }),
      'note.txt': Buffer.from('bine'),
      'gol.txt': Buffer.alloc(0),
      'desktop.ini': Buffer.from('[x]'),
      '__MACOSX/._1.dcm': Buffer.from('0005160700020000', 'hex'),
      'bun.dcm': writeDicom(OF_ANA),
    })
    expect(facts.unreadable).toBe('entries')
    expect(facts.unreadEntries).toEqual({
      count: 7,
      names: ['blocat.pdf', 'rupt.pdf', 'poza.jpg', 'scrisoare.docx', 'rupt.dcm'],
    })
    expect(lines).toContain(`cnp ${ANA} bun.dcm`)
  })

  it('are no unreadable ones where only a person can compare them', async () => {
    const { facts } = await read({
      'scan.pdf': await makePdf(0),
      'poza.jpg': await makeImage('jpeg'),
      'anonim.dcm': writeDicom({ '0008,0060': 'CT', '0010,0010': '' }),
      'note.txt': Buffer.from('bine'),
    })
    expect(facts.unreadEntries?.count).toBe(3)
    expect(facts.unreadable).toBeUndefined()
  })

  it.each([
    ['a PDF with a password', async () => makePdf(1, { userPassword: 'x', pdfVersion: '1.7' })],
    ['a damaged PDF', async () => Buffer.from('%PDF-1.7\nnimic')],
    ['a DICOM file that is cut short', async () => writeDicom(OF_ANA).subarray(0, 200)],
  ])('make the archive unreadable, for which its release is held: %s', async (_what, make) => {
    const { facts } = await read({ 'bun.dcm': writeDicom(OF_ANA), 'altul.bin': await make() })
    expect([facts.unreadable, facts.unreadEntries?.names]).toEqual(['entries', ['altul.bin']])
  })

  it('include all entries after the time is over', async () => {
    let calls = 0
    const unused = () => Promise.reject(new Error('not called'))
    const reader = openArchiveReader({ pdf: unused, office: unused }, () => ++calls <= 1)
    const whole = writeDicom(OF_ANA)
    for (const name of ['1.dcm', '2.dcm', '3.dcm']) await reader.read(name, { start: whole, whole })
    const { stated, details } = reader.finish()
    expect(stated).toHaveLength(3)
    expect(details).toMatchObject({
      unreadable: 'entries',
      unreadEntries: { count: 2, names: ['2.dcm', '3.dcm'] },
    })
  })
})

describe('the limits of an archive', () => {
  it('count what is not compressed without unpacking it', async () => {
    const slice = writeDicom(OF_ANA, { pixels: 1_000_000 })
    const { facts } = await read(await makeZip({ '1.dcm': slice, '2.dcm': slice, 'a.bin': slice }, true))
    expect(facts).toMatchObject({ entries: 3, unpacked: 3 * slice.length })
  })

  it('count all of a DICOM file that is compressed, of which only the beginning is read', async () => {
    const bomb = writeDicom(OF_ANA, { pixels: 30_000_000 })
    expect(await inspect('bomba.zip', await makeZip({ '1.dcm': bomb }))).toMatchObject({
      accepted: false,
      facts: { reason: 'zip-suspicious' },
    })
  })

  it('keep at most 300 facts, those about people first', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `${index}.dcm`,
        writeDicom({ '0008,0018': `1.2.${index}`, '0008,0050': `A-${index}`, '0010,0010': `Om^${index}` }),
      ]),
    )
    const { stated } = await read(await makeZip(files, true))
    expect(stated).toHaveLength(300)
    expect(valuesOf(stated, 'name')).toHaveLength(300)
  })
})

describe('a DICOM file that unpacks to a gibibyte', () => {
  it('is read within the memory of a sandbox process', async () => {
    const { facts: _, ...inspection } = await inspect('bomba.dcm', writeDeflateBomb(OF_ANA))
    expect(inspection).toMatchObject({ accepted: true, stated: [{ kind: 'cnp' }, { kind: 'name' }, {}] })
    expect(await inspect('bomba-disc.dcm', writeDeflateBomb(OF_ANA, true))).toMatchObject({
      accepted: true,
      facts: { unreadable: 'damaged' },
    })
  })
})

describe('the database', () => {
  it('keeps every kind of fact that an archive states', async () => {
    const { stated } = await read(makeSlices(100) as Files)
    const { id: userId } = await createUser(server.db, { email: 'fapte@dosar.test' })
    const { id: uploadId } = await makeEmptyUpload(server.db, { created_by: userId })
    const { id } = await makeFile(server.db, server.services.storage, {
      upload_id: uploadId,
      bytes: Buffer.from('x'),
    })
    await replaceFacts(server.db, id, stated)
    const kept = await selectFacts(server.db, uploadId)
    expect(kept.map(({ kind, value, place }) => ({ kind, value, place }))).toEqual(stated)
    expect(new Set(kept.map(({ kind }) => kind))).toContain('series')
  })
})

describe('the details of a DICOM file and of an archive', () => {
  it('are shown to the reviewer with what could not be read, and are in no log', async () => {
    const { files } = await filers.file({
      'ct.dcm': writeDicom({ ...OF_ANA, '0008,0060': 'CT', '0018,0015': 'CHEST' }),
      'anonim.dcm': writeDicom({ '0010,0010': '', '0008,0060': 'US' }),
      'rupt.dcm': writeDicom(OF_ANA).subarray(0, 200),
      'studiu.zip': await makeZip({ ...makeSlices(2), 'poza.png': await makeImage('png') }),
    })
    expect(files.map(({ facts }) => facts)).toMatchObject([
      { dicom: { modality: 'CT', bodyPart: 'CHEST' } },
      { dicom: { modality: 'US' }, noText: true },
      { unreadable: 'damaged' },
      { dicom: { images: 2, series: 2 }, unreadEntries: { count: 1, names: ['poza.png'] } },
    ])
    expect(server.logged.join('\n')).not.toMatch(new RegExp(`Popescu|CHEST|${ANA}`))
  })
})
