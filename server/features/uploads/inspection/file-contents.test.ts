import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAccepted } from '../../../../shared/uploads/files.ts'
import {
  type Files,
  foreignBytes,
  makeActiveDocuments,
  makeActivePdfs,
  makeArchivesWithPrograms,
  makeContinuedPdfs,
  makeHarmlessPdfs,
  makeImage,
  makeLyingArchive,
  makeNamedArchive,
  makeNestedArchives,
  makePdf,
  makePhonePhotos,
  makeTrailedFiles,
  makeUnusualPdfs,
  makeWord,
  makeZip,
} from '../../../../test/hostile-files.ts'
import { createFilers } from '../../../../test/inspection/filed-upload.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
})

/** Returns for each file `accepted` or the reason of its rejection, and what the reviewer reads of its content. */
async function judge(files: Files): Promise<Record<string, string>> {
  const filed = await filers.file(files)
  return Object.fromEntries(
    filed.files.map(({ name, scanResult, facts }) => {
      const findings = facts.findings?.map(({ kind, where }) => (where ? `${kind} ${where}` : kind)) ?? []
      return [name, [isAccepted(scanResult) ? 'accepted' : facts.reason, ...findings].join(', ')]
    }),
  )
}

describe('a program in an archive', () => {
  it('puts the upload in quarantine, under any name, and is named (E07)', async () => {
    const archives = await makeArchivesWithPrograms()
    const expected = Object.keys(archives).map((name) => [
      name,
      `executable, executable ${name.replace(/\.zip$/, '')}`,
    ])
    expect(await judge(archives)).toEqual(Object.fromEntries(expected))
  })

  it('is found behind what Windows drops of a name, in a folder with bytes, and by every ending', async () => {
    const names = [
      'factura.js.',
      'factura.js ',
      'factura.js::$DATA',
      'factura.js\u200b',
      'factura.exe/',
      'a.iso',
      'a.URL',
      'a.library-ms',
      'a.settingcontent-ms',
      'a.xll',
      'a.psd1',
      'a.one',
    ]
    const archives = Object.fromEntries(names.map((name, at) => [`${at}.zip`, makeNamedArchive(name)]))
    const found = await judge({ ...archives, 'bun.zip': makeNamedArchive('a.js.txt') })
    expect(Object.entries(found).map(([name, verdict]) => [name, verdict.split(',')[0]])).toEqual([
      ...names.map((_, at) => [`${at}.zip`, 'executable']),
      ['bun.zip', 'accepted'],
    ])
    expect(
      await judge({
        'doua-nume.zip': makeNamedArchive('factura.js', 'factura.txt'),
        'invers.zip': makeNamedArchive('factura.txt', 'factura.js'),
        'diacritice.zip': makeNamedArchive('Analiz_ nou_.txt', 'Analiză nouă.txt'),
      }),
    ).toEqual({
      'doua-nume.zip': 'zip-suspicious',
      'invers.zip': 'zip-suspicious',
      'diacritice.zip': 'accepted',
    })
  })

  it('is found in a document of the archive and behind many others', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`p${index}.exe`, Buffer.from('MZ')]),
    )
    const word = await makeWord({ 'word/media/imagine.png': Buffer.from('\x7fELF\x02') })
    const found = await judge({
      'plic.zip': await makeZip({ 'scrisoare.docx': word }),
      'multe.zip': await makeZip(many),
      'word.docx': word,
    })
    expect(found['plic.zip']).toBe('executable, executable scrisoare.docx')
    expect(found['multe.zip']!.split(', ')).toHaveLength(21)
    expect(found['word.docx']).toBe('executable, executable')
  })
})

describe('an archive', () => {
  it('with another archive, or one that cannot be unpacked, is rejected with the entry’s name (E03)', async () => {
    expect(await judge(await makeNestedArchives())).toEqual({
      'zip.zip': 'zip-nested, unexamined dosar/interior.zip',
      'ascuns.zip': 'zip-nested, unexamined imagine.jpg',
      'gz.zip': 'zip-nested, unexamined serie.nii.gz',
      'rar.zip': 'zip-nested, unexamined a.rar',
      'document.zip': 'zip-nested, unexamined a.docx',
      'deflate64.zip': 'zip-unsupported',
    })
  })

  it('is measured by the bytes that come out of it, not by the size that it names (E03)', async () => {
    const bomb = await makeZip({ 'zerouri.bin': Buffer.alloc(30_000_000) })
    const central = bomb.indexOf('PK\x01\x02')
    // A size that fits the ratio, and one that is too small for the bytes.
    bomb.writeUInt32LE(1_000_000, central + 24)
    const short = await makeZip({ 'scurt.bin': Buffer.alloc(1000, 'ab') })
    short.writeUInt32LE(1001, short.indexOf('PK\x01\x02') + 24)
    expect(
      await judge({
        'mincinos.zip': await makeLyingArchive(100_000),
        'bomba.zip': bomb,
        'scurt.zip': short,
        'bun.zip': await makeZip({ 'imagini.bin': Buffer.alloc(9_000_000) }),
      }),
    ).toEqual({
      'mincinos.zip': 'zip-suspicious',
      'bomba.zip': 'zip-suspicious',
      'scurt.zip': 'damaged',
      'bun.zip': 'accepted',
    })
  })

  it('may have documents, whose content is named with the entry', async () => {
    const { 'cod.pdf': script } = makeActivePdfs()
    const { 'macro.docx': macros, 'legatura.docx': link } = await makeActiveDocuments()
    const found = await judge({
      'plic.zip': await makeZip({
        'buletin.pdf': await makePdf(1),
        'cod.pdf': script!,
        'macro.docx': macros!,
        'legatura.docx': link!,
        'vechi.doc': Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      }),
    })
    expect(found).toEqual({
      'plic.zip': 'accepted, pdf-script cod.pdf, macros macro.docx, old-office vechi.doc',
    })
  })
})

describe('active content', () => {
  it('of a PDF is named to the reviewer, also in compressed objects and behind escaped names (E02)', async () => {
    expect(await judge(makeActivePdfs())).toEqual({
      'cod.pdf': 'accepted, pdf-script',
      'cod-ascuns.pdf': 'accepted, pdf-script',
      'cod-comprimat.pdf': 'accepted, pdf-script',
      'pornire.pdf': 'accepted, pdf-launch',
      'pornire-comprimata.pdf': 'accepted, pdf-launch',
      'adresa.pdf': 'accepted, pdf-address',
      'adresa-comprimata.pdf': 'accepted, pdf-address',
      'adresa-pagina.pdf': 'accepted, pdf-address',
      'adresa-urmatoare.pdf': 'accepted, pdf-address',
      'atasat.pdf': 'accepted, pdf-attachment date.csv',
      'program-atasat.pdf': 'executable, executable factura.pdf',
      'pornire-necitita.pdf': 'accepted, unexamined',
      'necitit.pdf': 'accepted, pdf-script, unexamined',
    })
  })

  it('of a PDF is named however the file is written, and also in forms and films (E02)', async () => {
    expect(await judge(makeUnusualPdfs())).toEqual({
      'fara-tip.pdf': 'accepted, pdf-launch',
      'cuvant-fals.pdf': 'accepted, pdf-launch',
      'octet-zero.pdf': 'accepted, pdf-address',
      'comentariu.pdf': 'accepted, pdf-address',
      'departe.pdf': 'accepted, pdf-address',
      'spatii.pdf': 'accepted, pdf-address',
      'redare.pdf': 'accepted, pdf-media',
      'formular.pdf': 'accepted, pdf-form',
      'film.pdf': 'accepted, pdf-media',
    })
  })

  it('is not a link that is clicked, nor a page that is shown first', async () => {
    expect(await judge({ ...makeHarmlessPdfs(), 'obisnuit.pdf': await makePdf(2) })).toEqual({
      'pagina.pdf': 'accepted',
      'legatura.pdf': 'accepted',
      'obisnuit.pdf': 'accepted',
    })
  })

  it('of a Word document is named to the reviewer, however the document writes it', async () => {
    expect(await judge(await makeActiveDocuments())).toEqual({
      'macro.docx': 'accepted, macros',
      'sablon.docx': 'accepted, remote-template',
      'sablon-ascuns.docx': 'accepted, remote-template',
      'sablon-utf16.docx': 'accepted, remote-template',
      'obiect.docx': 'accepted, embedded-object',
      'legatura.docx': 'accepted',
    })
  })

  it('is rejected where the site setting demands it', async () => {
    await createUser(server.db, { email: 'admin@dosar.test', role: 'admin' })
    const admin = await server.signIn('admin@dosar.test')
    const save = async (choice: string) => {
      const { siteSettings } = await admin.runQuery('{ siteSettings { version } }')
      await admin.runQuery(
        'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version } }',
        { version: siteSettings.version, changes: { upload_active_content: choice } },
      )
    }
    await save('refuse')
    const { 'pornire.pdf': launch } = makeActivePdfs()
    const { 'macro.docx': macros } = await makeActiveDocuments()
    const filed = await filers.file({
      'pornire.pdf': launch!,
      'macro.docx': macros!,
      'bun.pdf': await makePdf(1),
      'parola.pdf': await makePdf(1, { userPassword: 'x', pdfVersion: '1.7' }),
    })
    await save('mark')
    expect(filed.state).toBe('quarantined')
    expect(filed.files.map(({ facts }) => facts)).toEqual([
      { reason: 'active-content', findings: [{ kind: 'pdf-launch' }] },
      { reason: 'active-content', findings: [{ kind: 'macros' }] },
      {},
      { unreadable: 'locked', findings: [{ kind: 'unexamined' }] },
    ])
  })
})

describe('data after the end of a file', () => {
  it('is rejected beyond 1 KiB, whatever it looks like (E05)', async () => {
    const files = await makeTrailedFiles()
    const found = await judge(files)
    expect(found).toEqual(
      Object.fromEntries(
        Object.keys(files).map((name) => [name, name.startsWith('scurt') ? 'accepted' : 'trailing-data']),
      ),
    )
  })

  it('is accepted where phones write it, and further images and films are named to the reviewer', async () => {
    expect(await judge(await makePhonePhotos())).toEqual({
      'previzualizare.jpg': 'accepted, appended-media',
      'animata.jpg': 'accepted, appended-media',
      'samsung.jpg': 'accepted',
      'samsung-animata.jpg': 'accepted, appended-media',
      'completata.jpg': 'accepted',
      'eticheta.jpg': 'accepted',
    })
  })

  it('is accepted where it is an update, an attached PDF, or padding', async () => {
    expect(await judge(await makeContinuedPdfs())).toEqual({
      'actualizat.pdf': 'accepted',
      'completat.pdf': 'accepted',
      'rand.pdf': 'accepted',
      'in-pdf.pdf': 'accepted',
    })
  })

  it('cannot follow an image without an end', async () => {
    const [jpeg, png] = [await makeImage('jpeg'), await makeImage('png')]
    expect(
      await judge({
        'fara-sfarsit.jpg': Buffer.concat([jpeg.subarray(0, -2), foreignBytes(5000)]),
        'fara-sfarsit.png': png.subarray(0, -12),
      }),
    ).toEqual({ 'fara-sfarsit.jpg': 'damaged', 'fara-sfarsit.png': 'damaged' })
  })
})
