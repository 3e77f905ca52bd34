import type { IconName } from '../../ui/base/icon.tsx'
import type { Tone } from '../../ui/base/tones.ts'
import { patientOption } from '../patients/use-find-patients.ts'
import type { BatchGroup } from './batches.queries.ts'

/** A patient with what distinguishes them from others of the name. */
export type GroupPatient = { id: string; name: string; description: string }

/** The patient whom the row shows, and whom `Enter` files it for. */
export type ShownPatient = GroupPatient & { reasonText: string | null }

const describePatient = (patient: Parameters<typeof patientOption>[0]): GroupPatient => {
  const { id, label, description } = patientOption(patient)
  return { id, name: label, description }
}

/** Returns the patients whom the files of a group propose. */
export const proposedOf = ({ proposal }: BatchGroup): ShownPatient[] =>
  (proposal?.patients ?? []).map((patient) => ({
    ...describePatient(patient),
    reasonText: patient.reasonText,
  }))

/**
 * Returns the patient of a group: the one that was chosen, first on this page (`choosing`), or the only one proposed; null if a
 * person has to choose.
 */
export function patientOf(group: BatchGroup, choosing?: GroupPatient): ShownPatient | null {
  const proposed = proposedOf(group)
  const kept = group.chosen ?? group.upload.patient
  const named = choosing ?? (kept && describePatient(kept))
  if (named) {
    const reasonText = proposed.find(({ id }) => id === named.id)?.reasonText ?? null
    return { ...named, reasonText }
  }
  return (group.proposal?.confidence === 'sure' && proposed[0]) || null
}

export const isFiled = ({ upload }: BatchGroup): boolean => upload.state !== 'receiving'

type Status = { icon: IconName; tone: Tone; text: string }

const CONFIDENCES: Record<NonNullable<BatchGroup['proposal']>['confidence'], Status> = {
  sure: { icon: 'check-circle', tone: 'success', text: 'sigur' },
  likely: { icon: 'help', tone: 'warning', text: 'probabil' },
  none: { icon: 'user-x', tone: 'neutral', text: 'necunoscut' },
  conflict: { icon: 'error', tone: 'danger', text: 'conflict' },
}
const CHOSEN: Status = { icon: 'user-check', tone: 'success', text: 'ales' }
const FLAGS: Record<'isRefused' | 'isUnreadable' | 'isDuplicate', Status> = {
  isRefused: { icon: 'shield-alert', tone: 'danger', text: 'va fi refuzat' },
  isUnreadable: { icon: 'eye-off', tone: 'warning', text: 'necitibil' },
  isDuplicate: { icon: 'copy', tone: 'warning', text: 'duplicat' },
}

/** Returns the marks of a group that was read and not filed, the most important first. */
export function marksOf({ upload, proposal, chosen }: BatchGroup, isChoosing: boolean): Status[] {
  if (!proposal) return []
  const flags = (['isRefused', 'isDuplicate', 'isUnreadable'] as const).filter((flag) => proposal[flag])
  const match = isChoosing || chosen || upload.patient ? CHOSEN : CONFIDENCES[proposal.confidence]
  return [match, ...flags.map((flag) => FLAGS[flag])]
}

/** Why a person is asked before a group is filed; null: it is filed at once. */
export function questionOf({ proposal }: BatchGroup): 'refused' | 'duplicate' | null {
  if (proposal?.isRefused) return 'refused'
  return proposal?.isDuplicate ? 'duplicate' : null
}

/** Whether a group that was read would reach no institution. */
export const lacksInstitution = ({ upload, proposal }: BatchGroup): boolean =>
  proposal !== null && (proposal.institution ?? upload.institution) === null

/** Returns the groups whose shown patient is another one than before. */
export function findChanged(before: readonly BatchGroup[], after: readonly BatchGroup[]): string[] {
  const shown = new Map(before.map((group) => [group.upload.id, patientOf(group)?.id]))
  return after
    .filter(({ upload }) => shown.has(upload.id))
    .filter((group) => shown.get(group.upload.id) !== patientOf(group)?.id)
    .map(({ upload }) => upload.id)
}

/** Returns the title that a group is filed with; the name of the file until one is proposed. */
export const titleOf = ({ upload, proposal }: Pick<BatchGroup, 'upload' | 'proposal'>): string =>
  proposal?.title ?? upload.title
