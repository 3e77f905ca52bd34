import type { Insertable } from 'kysely'
import type { DB } from '../../server/platform/database/types.generated.ts'
import type { UploadState } from '../../shared/uploads/upload-state-list.ts'
import type { RejectionReason } from '../../shared/uploads/upload-states.ts'
import { RELEASED_BY_HAND } from './categories.ts'
import type { DemoPatient } from './patients.ts'
import { LONGEST_NAME } from './people.ts'
import { createRandom, drawId, type Random } from './random.ts'
import { REPORT_TEMPLATES, type ReportTemplate } from './report-templates.ts'
import { after, DAY, earlier, HOUR, isoDay, MINUTE, workingHour } from './time.ts'

export type DemoReferral = { patientId: string; institutionId: string; institution: string; doctor: string }

/** The organisation as the plan needs it; `institutionUsers` and `uploaders` by institution id. */
type Staffing = {
  registrarId: string
  reviewerIds: readonly string[]
  institutionUsers: ReadonlyMap<string, string>
  /** Users whose institution may send files itself. */
  uploaders: ReadonlyMap<string, string>
}

type PlannedReview = Pick<Insertable<DB['review']>, 'round' | 'reviewer_id' | 'verdict'> & {
  reason_code: RejectionReason | null
  comment: string | null
  created_at: Date
}

export type PlannedUpload = {
  row: Insertable<DB['upload']> & {
    id: string
    created_at: Date
    accession_number: string
    examined_on: string
  }
  template: ReportTemplate
  referral: DemoReferral
  /** The patient named in the document: another patient than the upload's where it was filed wrongly. */
  documentOf: DemoPatient
  reviews: readonly PlannedReview[]
  opening: { user_id: string; opened_at: Date; downloaded_at: Date | null } | null
}

/** The number of uploads in each state, and their age in days, at least and at most. */
const FATES: readonly (readonly [state: UploadState, count: number, newest: number, oldest: number])[] = [
  ['receiving', 2, 0, 0],
  ['checking', 2, 0, 0],
  ['quarantined', 3, 1, 20],
  ['unassigned', 7, 0, 4],
  ['in_review', 31, 0, 6],
  ['accepted', 9, 1, 3],
  ['released', 74, 1, 58],
  ['rejected', 10, 1, 24],
  ['replaced', 6, 12, 58],
  ['withdrawn', 6, 6, 50],
]

const REJECTIONS: readonly (readonly [RejectionReason, string])[] = [
  ['wrong-patient', 'Numele și CNP-ul din document sunt ale altei persoane.'],
  ['incomplete', 'Lipsește pagina cu concluziile.'],
  ['unreadable', 'Scanarea este neclară, valorile nu se pot citi.'],
  ['wrong-category', 'Este o ecografie, a fost pusă la radiologie.'],
  ['duplicate', 'Același buletin a fost încărcat și ieri.'],
  ['wrong-file', 'Este un deviz, nu un rezultat.'],
]

const SATURDAY = 6

function fitsPatient(template: ReportTemplate, patient: DemoPatient, at: Date, state: UploadState): boolean {
  // An acceptance releases at once, except where the category has manual release.
  if (state === 'accepted' && !RELEASED_BY_HAND.has(template.category)) return false
  const age = (at.getTime() - Date.parse(patient.birth_date)) / (365.25 * DAY)
  if (template.only === 'women') return patient.sex === 'female' && age > 18 && age < 42
  return template.only !== 'adults' || age >= 18
}

/** Returns the time of the upload and its history until now. */
function recordHistory(
  random: Random,
  state: UploadState,
  createdAt: Date,
  now: Date,
  staff: Staffing,
  wrongPatient: boolean,
) {
  const checkedAt = after(createdAt, random.integer(40, 150) * 1000)
  const reviews: PlannedReview[] = []
  let last = checkedAt
  const review = (rejection: readonly [RejectionReason, string] | null) => {
    const decidedAt = random.chance(0.6)
      ? after(last, random.integer(20, 300) * MINUTE)
      : workingHour(random, after(last, (last.getUTCDay() === SATURDAY ? 2 : 1) * DAY), 0)
    last = earlier(decidedAt, after(now, -(5 - reviews.length) * MINUTE))
    reviews.push({
      round: reviews.length + 1,
      reviewer_id: random.pickWeighted([
        [staff.reviewerIds[0]!, 6],
        [staff.reviewerIds[1]!, 1],
      ]),
      verdict: rejection ? 'rejected' : 'accepted',
      reason_code: rejection?.[0] ?? null,
      comment: rejection?.[1] ?? null,
      created_at: last,
    })
  }
  const wasReleased =
    state === 'released' || state === 'replaced' || (state === 'withdrawn' && random.chance(0.5))
  const isDecided = wasReleased || state === 'accepted'
  if ((isDecided || state === 'in_review') && random.chance(0.12)) review(REJECTIONS[1]!)
  if (state === 'rejected') review(wrongPatient ? REJECTIONS[0]! : random.pick(REJECTIONS.slice(1)))
  if (isDecided) review(null)
  const releasedAt = wasReleased ? last : null
  const moves =
    { receiving: 0, checking: 1, quarantined: 2, unassigned: 2, in_review: 2 }[state as string] ?? 2
  const isUnfinished = state === 'receiving' || state === 'checking'
  const decidedAt = state === 'withdrawn' ? earlier(after(last, random.integer(2, 60) * HOUR), now) : last
  return {
    reviews,
    released_at: releasedAt,
    state_since: isUnfinished ? createdAt : decidedAt,
    version:
      1 +
      moves +
      reviews.length +
      (wasReleased ? 1 : 0) +
      (state === 'replaced' || state === 'withdrawn' ? 1 : 0),
  }
}

function planOpening(random: Random, userId: string, releasedAt: Date, now: Date): PlannedUpload['opening'] {
  const old = now.getTime() - releasedAt.getTime() > 2 * DAY
  const openedAt = after(releasedAt, random.integer(30, 2400) * MINUTE)
  const downloadedAt = after(openedAt, random.integer(1, 30) * MINUTE)
  if (!random.chance(old ? 0.8 : 0.4) || openedAt > now) return null
  return {
    user_id: userId,
    opened_at: openedAt,
    downloaded_at: random.chance(0.75) && downloadedAt <= now ? downloadedAt : null,
  }
}

/**
 * Returns about a hundred and fifty uploads in every state, oldest first; a corrected upload follows the one
 * it replaces.
 */
export function planUploads(
  now: Date,
  patients: readonly DemoPatient[],
  referrals: readonly DemoReferral[],
  staff: Staffing,
): PlannedUpload[] {
  const random = createRandom('uploads')
  const plans: PlannedUpload[] = []

  const plan = (
    state: UploadState,
    createdAt: Date,
    fixed: Partial<Pick<PlannedUpload, 'template' | 'referral'>> = {},
  ) => {
    const known = patients.filter((patient) => patient.created_at < createdAt)
    const patient = patients.find(({ id }) => id === fixed.referral?.patientId) ?? random.pick(known)
    const referral =
      fixed.referral ?? random.pick(referrals.filter(({ patientId }) => patientId === patient.id))
    const template =
      fixed.template ??
      random.pickWeighted(
        REPORT_TEMPLATES.filter((each) => fitsPatient(each, patient, createdAt, state)).map(
          (each) => [each, each.weight] as const,
        ),
      )
    // Two waiting and two rejected uploads name another patient.
    const place = plans.filter(({ row }) => row.state === state).length
    const isMisfiled =
      (state === 'in_review' && (place === 3 || place === 9)) || (state === 'rejected' && place < 2)
    const { reviews, ...history } = recordHistory(random, state, createdAt, now, staff, isMisfiled)
    const hasPatient = state !== 'unassigned' && (state !== 'receiving' || place > 0)
    const source = random.pickWeighted([
      ['staff', 7],
      ['bulk', 2],
      ['institution', 1.5],
    ] as const)
    const sender = source === 'institution' ? staff.uploaders.get(referral.institutionId) : undefined
    const examinedAt = after(createdAt, -random.integer(0, 1) * DAY)
    const examined_on = isoDay(examinedAt)
    const planned: PlannedUpload = {
      row: {
        id: drawId(random, createdAt),
        patient_id: hasPatient ? patient.id : null,
        institution_id: hasPatient || sender ? referral.institutionId : null,
        category_slug: hasPatient || random.chance(0.5) ? template.category : null,
        title: template.title,
        examined_on,
        accession_number: `CD-${examined_on.slice(2).replaceAll('-', '')}-${String(plans.length + 1).padStart(3, '0')}`,
        referring_doctor: hasPatient ? referral.doctor : null,
        note: random.chance(0.08) ? 'Pacientul roagă să fie anunțat telefonic.' : null,
        source: source === 'institution' && !sender ? 'staff' : source,
        sender_institution_id: sender ? referral.institutionId : null,
        state,
        created_by: sender ?? staff.registrarId,
        created_at: createdAt,
        updated_at: history.state_since,
        ...history,
      },
      template,
      referral,
      documentOf: isMisfiled ? patients[(patients.indexOf(patient) + 7) % patients.length]! : patient,
      reviews,
      opening:
        history.released_at === null
          ? null
          : planOpening(
              random,
              staff.institutionUsers.get(referral.institutionId)!,
              history.released_at,
              now,
            ),
    }
    plans.push(planned)
    return planned
  }

  /**
   * Returns the corrected version of a replaced upload; the old version stays until the new one is released.
   */
  const correct = (old: PlannedUpload) => {
    const createdAt = after(old.row.created_at, random.integer(3, 8) * DAY)
    const corrected = plan('released', createdAt, old)
    corrected.row.replaces_id = old.row.id
    corrected.row.revision = 2
    corrected.row.note = 'Versiune corectată; o înlocuiește pe cea dinainte.'
    old.row.state_since = corrected.row.state_since!
    old.row.updated_at = corrected.row.state_since!
    if (old.opening && old.opening.opened_at > corrected.row.created_at) old.opening = null
  }

  const longest = referrals.find(({ patientId }) =>
    patients.some(({ id, surname }) => id === patientId && surname === LONGEST_NAME.surname),
  )!
  for (const [state, count, newest, oldest] of FATES) {
    for (let i = 0; i < count; i += 1) {
      const daysAgo = random.integer(newest, oldest)
      const [least, most] = state === 'receiving' || state === 'checking' ? [4, 25] : [30, 300]
      const recent = after(now, -random.integer(least, most) * MINUTE)
      const planned = plan(
        state,
        daysAgo === 0 ? recent : workingHour(random, now, daysAgo),
        state === 'in_review' && i === 0 ? { referral: longest } : {},
      )
      if (state === 'replaced') correct(planned)
    }
  }
  return plans.sort((a, b) => a.row.created_at.getTime() - b.row.created_at.getTime())
}
