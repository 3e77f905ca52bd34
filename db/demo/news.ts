import type { NewsKind, NewsVisibility } from '../../shared/news/news.ts'
import { drawId, type Random } from './random.ts'
import { after, DAY, HOUR, isoDay } from './time.ts'

/** Returns the rows of a warning, a note and pinned news about a patient, each with more or fewer readers. */
export function planNews(
  random: Random,
  { patientId, authorIds, now }: { patientId: string; authorIds: readonly [string, string]; now: Date },
) {
  const entry = (
    writtenAt: Date,
    authorId: string,
    kind: NewsKind,
    visibility: NewsVisibility,
    text: string,
    pinnedUntil: string | null = null,
  ) => ({
    id: drawId(random, writtenAt),
    patient_id: patientId,
    kind,
    text,
    visibility,
    pinned_until: pinnedUntil,
    created_by: authorId,
    created_at: writtenAt,
    written_by: authorId,
    written_at: writtenAt,
  })
  const [reviewer, registrar] = authorIds
  return [
    entry(
      after(now, -40 * DAY),
      reviewer,
      'warning',
      'institution',
      'Reacție alergică la substanța de contrast cu iod, la examinarea din anul trecut.\nÎnaintea unui CT cu contrast: premedicație și consult.',
    ),
    entry(after(now, -12 * DAY), registrar, 'note', 'staff', 'Răspunde la telefon numai după ora 17.'),
    entry(
      after(now, -20 * HOUR),
      registrar,
      'news',
      'patient',
      'La controlul următor aduceți și rezultatele făcute în altă parte.',
      isoDay(after(now, 30 * DAY)),
    ),
  ]
}
