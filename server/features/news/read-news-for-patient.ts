import type { NewsKind } from '../../../shared/news/news.ts'
import type { Ctx } from '../../context.ts'
import { findSite } from '../site/find-site.ts'
import { selectNewsForPatient } from './news.db.ts'

export type PatientNews = { kind: NewsKind; text: string; writtenAt: Date }

/**
 * Returns what the patient reads of the news about them, in the order of the screens, while the site has the feature
 * `patient::news`. The caller has decided that the reader is the patient, or reads in the patient's name.
 */
export async function readNewsForPatient({ db }: Ctx, patientId: string): Promise<PatientNews[]> {
  if (!(await findSite(db)).features.includes('patient::news')) return []
  const rows = await selectNewsForPatient(db, patientId)
  return rows.map(({ kind, text, written_at }) => ({ kind, text, writtenAt: written_at }))
}
