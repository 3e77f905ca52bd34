import { setImmediate as nextTurn } from 'node:timers/promises'
import { isReadInPart } from '../../../shared/reviews/holds.ts'
import type { FileCheckState } from '../../../shared/uploads/file-check-states.ts'
import type { FactKind, FactPlace } from '../../../shared/uploads/file-facts.ts'
import type { Ctx, UserCtx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { compareFacts } from '../matching/compare-facts.ts'
import { type Duplicate, findFiledCopies } from '../matching/find-duplicates.ts'
import type { ShownLine } from '../matching/list-disagreements.ts'
import type { PatientMatch } from '../matching/match-document.ts'
import { matchFacts } from '../matching/match-facts.ts'
import { comparedPatientOf } from '../reviews/cross-check.ts'
import { findSite } from '../site/find-site.ts'
import { type FileDetails, type Inspection, MAX_PAGES_NAMED } from '../uploads/inspection/inspection.ts'
import { applyActiveContentSetting } from '../uploads/inspection/scan-and-inspect.ts'
import { findUncheckedFiles, type UncheckedFile } from '../uploads/readings/find-unchecked-files.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { countPeople } from './count-people.ts'
import { canReadFileChecks } from './file-checks.access.ts'

/** What is known of a file before its check. `refusal`: the details with the reason, if the check will refuse it. */
export type FileCheck = {
  file: UncheckedFile['file']
  state: FileCheckState
  refusal: Extract<Inspection, { accepted: false }>['facts'] | null
  unreadable: NonNullable<FileDetails['unreadable']> | null
  isPartlyRead: boolean
  comparison: ShownLine[]
  match: PatientMatch
  people: number
  duplicates: Duplicate[]
}

/** Different documents of an upload whose patients are searched for: an upload has at most as many files. */
const MAX_DOCUMENTS = 100

/** By the context of the request, since a document may ask for the field under several names. */
const found = new WeakMap<UserCtx, Map<string, Promise<FileCheck[]>>>()

/**
 * Returns what is known of the files of an upload that were not checked yet, for its author and for reviewers; none for other
 * readers. The number of statements does not depend on the number of files.
 */
export async function findFileChecks(ctx: UserCtx, upload: UploadRow): Promise<FileCheck[]> {
  if (!canReadFileChecks(ctx.actor, upload)) return []
  const ofRequest = found.get(ctx) ?? new Map<string, Promise<FileCheck[]>>()
  found.set(ctx, ofRequest)
  const key = `${upload.id} ${upload.version}`
  const checks = ofRequest.get(key) ?? readFileChecks(ctx, upload)
  ofRequest.set(key, checks)
  return checks
}

/**
 * Returns what is known of the files of an upload that were not checked yet, for jobs, and for verbs that have checked the
 * reader. `known`: the database in which patients and copies are searched, as another reader sees it.
 */
export async function readFileChecks(
  ctx: Ctx,
  upload: UploadRow,
  known: { patients: Db; copies: () => Promise<Duplicate[]> } = {
    patients: ctx.db,
    copies: () => findFiledCopies(ctx, upload),
  },
): Promise<FileCheck[]> {
  const files = await findUncheckedFiles(ctx, upload.id)
  if (files.length === 0) return []
  const matches = await matchFacts(
    known.patients,
    files.map(({ inspection, facts }) => ({
      facts,
      isCut: inspection?.accepted === true && inspection.facts.factsCut === true,
    })),
    MAX_DOCUMENTS,
  )
  const copies = Map.groupBy(await known.copies(), ({ fileId }) => fileId)
  const site = await findSite(ctx.db)
  const checks: FileCheck[] = []
  for (const [index, { file, inspection, facts }] of files.entries()) {
    const judged = inspection && applyActiveContentSetting(inspection, site)
    const state = stateOf(judged, facts)
    const isKnown = state === 'READ' || state === 'UNREADABLE'
    const stated = isKnown ? facts : []
    checks.push({
      file,
      state,
      refusal: judged && !judged.accepted ? judged.facts : null,
      unreadable: judged?.facts.unreadable ?? null,
      isPartlyRead: state === 'READ' && judged !== null && isPartlyRead(judged.facts),
      comparison: isKnown && judged ? compareFile(upload, { id: file.id, facts }, judged.facts) : [],
      match: isKnown ? matches[index]! : { confidence: 'none', patients: [] },
      people: countPeople(stated),
      duplicates: copies.get(file.id) ?? [],
    })
    // Files may state hundreds of names each, which are compared.
    await nextTurn()
  }
  return checks
}

type Facts = UncheckedFile['facts']

function stateOf(inspection: Inspection | null, facts: Facts): FileCheckState {
  if (!inspection) return 'WAITING'
  if (!inspection.accepted) return 'REFUSED'
  return saysNothing(inspection, facts) ? 'UNREADABLE' : 'READ'
}

const BESIDE_CONTENT: ReadonlySet<FactPlace['in']> = new Set(['file-name', 'sender'])
const OF_THE_PATIENT: ReadonlySet<FactKind> = new Set(['cnp', 'name', 'birth-date', 'accession'])

/**
 * Whether only a person can compare the content with the patient. What the name of the file, or an integration, says does not
 * change that.
 */
function saysNothing(
  { kind, pageCount, facts: details }: Extract<Inspection, { accepted: true }>,
  facts: Facts,
): boolean {
  const { unreadable, noText, pagesWithoutText = [], unreadEntries } = details
  if (unreadable && unreadable !== 'entries') return true
  if (facts.some(({ kind, place }) => OF_THE_PATIENT.has(kind) && !BESIDE_CONTENT.has(place.in))) return false
  if (unreadable || unreadEntries) return true
  // Of a PDF perhaps only some pages have no text.
  const isWithoutText = kind !== 'pdf' || pagesWithoutText.length >= Math.min(pageCount ?? 1, MAX_PAGES_NAMED)
  return noText === true && isWithoutText
}

const isPartlyRead = (details: FileDetails): boolean =>
  isReadInPart(details) || details.unreadable !== undefined || details.noText === true

/** Compares one file with the upload's patient; no lines without a patient. What was not read may state what is absent. */
function compareFile(
  upload: UploadRow,
  { id, facts }: { id: string; facts: Facts },
  details: FileDetails,
): ShownLine[] {
  if (upload.patient_id === null) return []
  const { lines } = compareFacts(comparedPatientOf(upload), [{ fileId: id, facts }])
  if (!details.unreadable) return lines
  return lines.map((line) => (line.result === 'absent' ? { ...line, result: 'unread' } : line))
}
