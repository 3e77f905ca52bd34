import { foldText } from '../../../shared/romania/names.ts'
import type { FactKind } from '../../../shared/uploads/file-facts.ts'
import type { Ctx } from '../../context.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { readFacts } from '../uploads/inspection/find-file-facts.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import type { PatientMatch } from './match-document.ts'
import { matchFacts, NO_MATCH } from './match-facts.ts'
import { matchInstitution } from './match-words.ts'
import { type InstitutionToMatch, selectHeadings, selectInstitutions } from './matching.db.ts'
import { type ProposedCategory, proposeCategory } from './propose-category.ts'

/** What the files of an upload propose for its details. Nothing of it is stored before a person confirms it. */
export type Proposal = PatientMatch & ProposedDetails & { institution: InstitutionToMatch | null }

/** What the files propose whosever they are. */
export type ProposedDetails = {
  category: ProposedCategory | null
  title: string | null
  examinedOn: string | null
  accessionNumber: string | null
  doctor: string | null
}

/** Documents of an upload that are matched, such as the entries of an archive that state different facts. */
const MAX_DOCUMENTS = 50

/** Returns what the files that were already inspected propose for an upload that the actor may read. */
export async function proposeUpload(ctx: Ctx, upload: UploadRow): Promise<Proposal> {
  const facts = await readFacts(ctx, upload.id)
  const headings = await selectHeadings(ctx.db, upload.id)
  const isCut = headings.some(({ is_cut }) => is_cut)
  const [match = NO_MATCH] = await matchFacts(ctx.db, [{ facts, isCut }], MAX_DOCUMENTS)
  const [only] = match.patients
  const isOne = match.confidence === 'sure' || (match.confidence === 'likely' && match.patients.length === 1)
  const patientId = upload.patient_id ?? (isOne ? only!.person.id : null)
  return {
    ...match,
    institution: await proposeInstitution(ctx, patientId, facts),
    ...(await describeExamination(ctx, facts, headings)),
  }
}

/** Returns what the files propose for the details of an upload, without its patient and its institution. */
export const proposeDetails = async (ctx: Ctx, { id }: UploadRow): Promise<ProposedDetails> =>
  describeExamination(ctx, await readFacts(ctx, id), await selectHeadings(ctx.db, id))

async function describeExamination(
  ctx: Ctx,
  facts: readonly FactRow[],
  headings: Awaited<ReturnType<typeof selectHeadings>>,
): Promise<ProposedDetails> {
  const category = await proposeCategory(ctx, [
    ...headings.map(({ name }) => name),
    ...headings.map(({ heading }) => heading ?? ''),
  ])
  return {
    category,
    title: category?.name ?? null,
    examinedOn: onlyValue(facts, 'examined-on'),
    accessionNumber: onlyValue(facts, 'accession'),
    doctor: onlyValue(facts, 'doctor'),
  }
}

/** Returns the value that all proven facts of this kind have; null if there is none or they differ. */
function onlyValue(facts: readonly FactRow[], kind: FactKind): string | null {
  const values = facts.filter((fact) => fact.kind === kind && !fact.is_doubtful).map(({ value }) => value)
  const [first = null] = values
  return new Set(values.map(foldText)).size === 1 ? first : null
}

/** Returns the institution that the files name; of a patient only one that referred the patient, or the only one. */
async function proposeInstitution({ db }: Ctx, patientId: string | null, facts: readonly FactRow[]) {
  const stated = facts.filter(({ kind, is_doubtful }) => kind === 'institution' && !is_doubtful)
  if (patientId === null && stated.length === 0) return null
  const institutions = await selectInstitutions(db, patientId)
  const named = matchInstitution(
    stated.map(({ value }) => value),
    institutions,
  )
  const [only = null] = patientId !== null && institutions.length === 1 ? institutions : []
  return named ?? (stated.length === 0 ? only : null)
}
