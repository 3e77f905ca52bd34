import type { IntakeFacts } from '../../../../shared/integrations.ts'
import type { FactKind, FileFact } from '../../../../shared/uploads/file-facts.ts'
import type { Ctx } from '../../../context.ts'
import { keepWithin } from '../inspection/facts/distinct-facts.ts'
import { selectSenderFacts } from '../inspection/facts.db.ts'
import type { Inspection } from '../inspection/inspection.ts'

/**
 * Returns the inspection with what the integration that has sent the file states of it. It is a further fact that is compared
 * with the patient, and never one by which a file confirms its patient.
 */
export async function addSenderFacts(ctx: Ctx, inspection: Inspection, fileId: string): Promise<Inspection> {
  if (!inspection.accepted) return inspection
  const sent = await selectSenderFacts(ctx.db, fileId)
  if (!sent) return inspection
  const { facts: stated, isCut } = keepWithin([...inspection.stated, ...asFileFacts(sent)])
  return { ...inspection, stated, facts: { ...inspection.facts, ...(isCut && { factsCut: true as const }) } }
}

function asFileFacts(sent: IntakeFacts): FileFact[] {
  const values: Partial<Record<FactKind, string | undefined>> = {
    cnp: sent.cnp,
    name: [sent.surname, sent.givenNames].filter(Boolean).join(' '),
    'birth-date': sent.birthDate,
    accession: sent.accessionNumber,
    'examined-on': sent.examinedAt,
    doctor: sent.doctor,
  }
  return Object.entries(values).flatMap(([kind, value]) =>
    value ? [{ kind: kind as FactKind, value, place: { in: 'sender' } } satisfies FileFact] : [],
  )
}
