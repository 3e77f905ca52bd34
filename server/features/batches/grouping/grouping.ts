import type { Confidence } from '../../../../shared/uploads/match-reasons.ts'

/** What a group is recognised by. */
export type GroupFacts = {
  confidence: Confidence
  patient_id: string | null
  accession_number: string | null
  examined_on: string | null
  category_slug: string | null
  /** The institution and the category that the sender has stated, not those that are proposed. */
  stated: readonly [institutionId: string | null, categorySlug: string | null]
  is_duplicate: boolean
  is_unreadable: boolean
  is_refused: boolean
}

/**
 * Returns what is equal in all files of one examination of one patient: the patient with the accession number, or with the
 * day and the category, and what the sender has stated, since a file for one institution must not go to another one. Null if it
 * is not certain, or the file must stay alone.
 */
export function groupKeyOf(facts: GroupFacts): string | null {
  const { confidence, patient_id, accession_number, examined_on, category_slug } = facts
  if (confidence !== 'sure' || patient_id === null) return null
  if (facts.is_duplicate || facts.is_unreadable || facts.is_refused) return null
  const stated = facts.stated.map((each) => each ?? '').join(' ')
  if (accession_number !== null) return `${patient_id} nr ${accession_number} ${stated}`
  if (examined_on === null || category_slug === null) return null
  return `${patient_id} ${examined_on} ${category_slug} ${stated}`
}

export type OpenGroup = { id: string; group_key: string | null; file_count: number }

/** Returns the first of the other groups, in the order of their ids, that has the same key and room for the files. */
export const findGroupToJoin = (
  joining: OpenGroup,
  groups: readonly OpenGroup[],
  maxFiles: number,
): OpenGroup | null =>
  groups
    .filter(
      ({ id, group_key, file_count }) =>
        id !== joining.id &&
        joining.group_key !== null &&
        group_key === joining.group_key &&
        file_count + joining.file_count <= maxFiles,
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))[0] ?? null
