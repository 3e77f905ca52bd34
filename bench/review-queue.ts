import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../db/demo/random.ts'
import { renderReport } from '../db/demo/report-pdf.ts'
import { REPORT_TEMPLATES } from '../db/demo/report-templates.ts'
import { composeReport, reportText } from '../db/demo/reports.ts'
import { makeUpload } from '../db/factories.ts'
import { INSTITUTION, REGISTRAR } from '../e2e/harness/accounts.ts'
import { makeReport } from '../e2e/harness/documents.ts'
import { makeReferredPatient } from '../e2e/harness/new-upload.ts'
import type { Product } from '../e2e/harness/product.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'

/** Adds an upload with one document of this many pages to the review queue, and returns its id. */
export async function addDocument(product: Product, pages: number): Promise<string> {
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const folder = await mkdtemp(join(tmpdir(), 'dosar-bench-document-'))
  const { path } = await makeReport(folder, 'Raport.pdf', `${pages}`, pages)
  const files = [{ bytes: await readFile(path), page_count: pages }]
  await rm(folder, { recursive: true })
  return (await makeUpload(product.db, storage, { files })).id
}

/**
 * Adds this many uploads to the end of the review queue, each a laboratory report of a page for a patient of its own that
 * nothing holds, and returns the id of the first.
 */
export async function extendReviewQueue(product: Product, count: number): Promise<string> {
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const author = await product.db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', REGISTRAR)
    .executeTakeFirstOrThrow()
  const template = REPORT_TEMPLATES.find(({ analytes }) => analytes)!
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const patient = await makeReferredPatient(product, INSTITUTION)
    const [surname = '', given_names = ''] = patient.name.split(' ')
    const report = composeReport(createRandom(`report ${number}`), template, {
      patient: { ...patient, surname, given_names, birth_date: null, sex: null },
      accession: `B-${number}`,
      examinedOn: '2026-11-20',
      institution: 'Clinica',
      doctor: 'Dr. Vlad Hățieganu',
    })
    const { bytes, pages } = await renderReport(report, null)
    const file = { bytes, page_count: pages, content_text: reportText(report) }
    const { id } = await makeUpload(product.db, storage, {
      title: template.title,
      patient_id: patient.id,
      institution_id: patient.institutionId,
      created_by: author.id,
      files: [file],
    })
    ids.push(id)
  }
  return ids[0]!
}
