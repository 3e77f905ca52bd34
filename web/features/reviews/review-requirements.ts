import { counted } from '../../../shared/romania/romanian.ts'
import { OWN_UPLOAD_MARK, OWN_UPLOAD_MESSAGE } from '../../../shared/uploads/upload-states.ts'
import { formatMoment } from '../uploads/release-time.ts'
import type { Upload } from './upload.queries.ts'

/**
 * Returns a sentence for each requirement beyond the usual one, a single acceptance that releases at once:
 * another reviewer for what the user filed, or more care where the site allows to accept it, a second reviewer, a later release. `now` in milliseconds.
 */
export function listReviewRequirements(
  {
    policy,
    firstAcceptance: first,
    can,
    isOwn,
  }: Pick<Upload, 'policy' | 'firstAcceptance' | 'can' | 'isOwn'>,
  now: number,
): string[] {
  const sentences: string[] = can.decide && !can.accept ? [`${OWN_UPLOAD_MESSAGE}.`] : []
  if (isOwn && can.accept) sentences.push(`${OWN_UPLOAD_MARK}: verifici propria încărcare.`)
  const when = first?.acceptedAt ? ` ${formatMoment(first.acceptedAt, now)}` : ''
  if (first?.isOwn) sentences.push(`Ai acceptat-o${when}. A doua verificare o face altcineva.`)
  else if (first) sentences.push(`Necesită două verificări: a acceptat ${first.reviewerName}${when}.`)
  else if (policy && policy.reviewers > 1) sentences.push('Necesită două verificări.')
  if (policy?.release === 'after_hours' && policy.releaseHours)
    sentences.push(`Se eliberează la ${counted(policy.releaseHours, 'oră', 'ore')} după acceptare.`)
  if (policy?.release === 'by_hand') sentences.push('După acceptare, așteaptă să fie eliberată.')
  return sentences
}
