import { keepDistinct } from '../../server/features/uploads/inspection/facts/distinct-facts.ts'
import { findFactsInName } from '../../server/features/uploads/inspection/facts/file-name-facts.ts'
import { readPdfEntry } from '../../server/features/uploads/inspection/facts/read-pdf-entry.ts'
import { findTextFacts } from '../../server/features/uploads/inspection/facts/text-facts.ts'
import { factsOfCnps, summarizeCnps } from '../../server/features/uploads/inspection/found-cnps.ts'
import type { FileFact } from '../../shared/uploads/file-facts.ts'
import type { FileToMake } from '../factories.ts'
import { type Picture, printPicture } from './pictures.ts'
import type { PictureKind, Plate } from './plates.ts'
import { createRandom, drawId, type Random } from './random.ts'
import { renderReport } from './report-pdf.ts'
import { composeReport, reportText } from './reports.ts'
import type { PlannedUpload } from './uploads.ts'
import { makeZip } from './zip.ts'

export type Plates = Record<PictureKind, readonly Plate[]>

/** Returns the caption of a picture, without a name: one plate is used for many patients. */
const captionOf = ({ row }: PlannedUpload) =>
  `Centrul de Diagnostic Demo · ${row.title} · ${row.accession_number} · DEMONSTRATIV`

/** PNG for line drawings, which JPEG would blur. */
const formatOf = (picture: PictureKind) => (picture === 'ecg' ? 'png' : 'jpeg')

function makePicture(
  random: Random,
  upload: PlannedUpload,
  picture: PictureKind,
  plates: Plates,
): Promise<Picture> {
  return printPicture(random.pick(plates[picture]), captionOf(upload), formatOf(picture))
}

const READ_ME = 'citește-mă.txt'

async function makeSeries(upload: PlannedUpload, picture: PictureKind, plates: Plates): Promise<FileToMake> {
  const { row } = upload
  const pictures = []
  for (const [i, plate] of plates[picture].entries()) {
    const caption = `${captionOf(upload)} · ${i + 1}/${plates[picture].length}`
    pictures.push({
      name: `IMG${String(i + 1).padStart(4, '0')}.jpg`,
      bytes: (await printPicture(plate, caption, 'jpeg')).bytes,
    })
  }
  const readMe = `Serie de imagini: ${row.title}\r\nNr. examinare: ${row.accession_number}\r\nDOCUMENT DEMONSTRATIV – date fictive\r\n`
  const entries = [{ name: READ_ME, bytes: Buffer.from(readMe) }, ...pictures]
  return {
    bytes: await makeZip(entries, row.created_at),
    name: `Imagini ${row.title} ${row.accession_number}.zip`,
    type: 'application/zip',
    kind: 'zip',
    stated: findTextFacts(readMe, false, false).map((fact) => ({
      ...fact,
      place: { ...fact.place, entry: READ_ME },
    })),
    facts: {
      entries: entries.length,
      names: entries.map(({ name }) => name),
      unpacked: entries.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      // Pictures in an archive do not say whose they are; the first five are named.
      unreadEntries: { count: pictures.length, names: pictures.map(({ name }) => name).slice(0, 5) },
    },
  }
}

/** Makes a text file with the type of a PDF, which inspection rejects. */
function makeImpostor({ row }: PlannedUpload): FileToMake {
  return {
    bytes: Buffer.from(
      `${row.title}\r\n${row.accession_number}\r\nAcest fișier are numele unui PDF, dar este un text.\r\n`,
    ),
    name: `${row.accession_number}.pdf`,
    type: 'application/octet-stream',
    kind: 'other',
    facts: { reason: 'extension-mismatch' },
    scan_result: 'refused',
  }
}

/** Returns what a report says, as its inspection does: its pages are read, and the CNPs of its text count. */
async function readReport(bytes: Buffer, text: string): Promise<FileFact[]> {
  const { facts } = await readPdfEntry(bytes, Number.POSITIVE_INFINITY)
  return [...facts, ...factsOfCnps(summarizeCnps(text))]
}

/** Returns the files of an upload: the report, often with a picture or a series; none for an upload in `receiving`. */
export async function composeFiles(upload: PlannedUpload, plates: Plates): Promise<FileToMake[]> {
  const { row, template, referral, documentOf } = upload
  if (row.state === 'receiving') return []
  const random = createRandom(`files of ${row.accession_number}`)
  const withId = (file: FileToMake): FileToMake => ({
    ...file,
    id: drawId(random, row.created_at),
    ...(row.state === 'checking'
      ? { scan_result: 'pending', stated: [] }
      : { stated: keepDistinct([...(file.stated ?? []), ...findFactsInName(file.name ?? '')]) }),
  })
  if (row.state === 'quarantined') return [withId(makeImpostor(upload))]

  const report = composeReport(random, template, {
    patient: documentOf,
    accession: row.accession_number,
    examinedOn: row.examined_on,
    institution: referral.institution,
    doctor: referral.doctor,
  })
  const picture = template.picture ? await makePicture(random, upload, template.picture, plates) : null
  const pdf = await renderReport(report, picture)
  const text = reportText(report)
  const files: FileToMake[] = [
    {
      bytes: pdf.bytes,
      name: `${row.title} ${row.accession_number}.pdf`,
      page_count: pdf.pages,
      content_text: text,
      stated: await readReport(pdf.bytes, text),
      facts: {},
    },
  ]
  if (template.picture && template.series) files.push(await makeSeries(upload, template.picture, plates))
  if (template.picture && picture && random.chance(0.5)) {
    const format = formatOf(template.picture)
    files.push({
      bytes: picture.bytes,
      name: `Imagine ${row.accession_number}.${format === 'png' ? 'png' : 'jpg'}`,
      type: `image/${format}`,
      kind: 'image',
      facts: { width: picture.width, height: picture.height, noText: true },
    })
  }
  return files.map(withId)
}
