import { createRandom } from '../db/demo/random.ts'
import { renderReport } from '../db/demo/report-pdf.ts'
import { REPORT_TEMPLATES } from '../db/demo/report-templates.ts'
import { composeReport, reportText } from '../db/demo/reports.ts'
import { makeUpload } from '../db/factories.ts'
import { INSTITUTION, REGISTRAR } from '../e2e/harness/accounts.ts'
import { makeReferredPatient } from '../e2e/harness/new-upload.ts'
import type { Product } from '../e2e/harness/product.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'

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
