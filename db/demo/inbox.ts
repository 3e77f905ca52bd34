import type { Random } from './random.ts'
import { after, DAY, earlier, HOUR, MINUTE } from './time.ts'
import type { PlannedUpload } from './uploads.ts'

export type DemoMember = { id: string; name: string }

/** The released results of an institution that were opened, the newest first. */
const openedOf = (plans: readonly PlannedUpload[], institutionId: string) =>
  plans
    .filter(({ row }) => row.state === 'released' && row.institution_id === institutionId)
    .flatMap(({ row, opening }) => (opening ? [{ id: row.id, patientId: row.patient_id!, opening }] : []))
    .toSorted((a, b) => b.opening.opened_at.getTime() - a.opening.opened_at.getTime())

/**
 * Returns the marks of an institution's results by the columns of `inbox_item`: of the opened ones two are taken, one of them
 * by the colleague where there is one, and the others are handled; what nobody has opened stays new.
 */
export function planMarks(
  random: Random,
  plans: readonly PlannedUpload[],
  { institutionId, members, now }: { institutionId: string; members: readonly DemoMember[]; now: Date },
) {
  return openedOf(plans, institutionId).map(({ id, opening }, place) => {
    const takenAt = earlier(after(opening.opened_at, random.integer(1, 20) * MINUTE), now)
    const handledAt = earlier(after(takenAt, random.integer(5, 180) * MINUTE), now)
    const taker = members[place % members.length]!
    const handler = random.pick(members)
    const isTaken = place < 2 || random.chance(0.5)
    return {
      uploadId: id,
      marks: {
        ...(isTaken && { taken_by: taker.id, taken_by_name: taker.name, taken_at: takenAt }),
        ...(place >= 2 && { handled_by: handler.id, handled_by_name: handler.name, handled_at: handledAt }),
      },
    }
  })
}

/**
 * Returns what an institution asked about a result on the day that it opened it: a question, its answer, and a second question,
 * which waits for the organisation.
 */
export function planQuestion(
  plans: readonly PlannedUpload[],
  {
    institutionId,
    memberId,
    staffId,
    now,
  }: { institutionId: string; memberId: string; staffId: string; now: Date },
) {
  const about = openedOf(plans, institutionId).find(
    ({ opening }) => opening.opened_at.getTime() < now.getTime() - DAY,
  )!
  const { opened_at } = about.opening
  return {
    uploadId: about.id,
    patientId: about.patientId,
    messages: [
      {
        by_organisation: false,
        created_by: memberId,
        created_at: after(opened_at, 10 * MINUTE),
        text: 'Bună ziua! Valorile de pe prima pagină sunt față de intervalul pentru adulți?',
      },
      {
        by_organisation: true,
        created_by: staffId,
        created_at: after(opened_at, 2 * HOUR),
        text: 'Bună ziua! Da, sunt intervalele pentru vârsta și sexul pacientului.',
      },
      {
        by_organisation: false,
        created_by: memberId,
        created_at: after(opened_at, 5 * HOUR),
        text: 'Mulțumim. Medicul întreabă dacă recomandați repetarea, și peste cât timp.',
      },
    ],
  }
}
