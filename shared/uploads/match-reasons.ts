import { lazily } from '../lazily.ts'
import type { FactPlace } from './file-facts.ts'

/** How certain it is whose a document is; `conflict`: it has facts of different people. */
export const CONFIDENCES = ['sure', 'likely', 'none', 'conflict'] as const
export type Confidence = (typeof CONFIDENCES)[number]

/** A fact of a document that agrees with a patient. */
export type MatchReason = { what: 'cnp' | 'accession' | 'name' | 'birth-date'; place: FactPlace }

const FACT_NAMES: Readonly<Record<MatchReason['what'], string>> = {
  cnp: 'CNP',
  accession: 'nr. examinare',
  name: 'nume',
  'birth-date': 'data nașterii',
}

const list = lazily(() => new Intl.ListFormat('ro', { type: 'conjunction' }))

/** Returns where a fact is, as part of a sentence: `în pagina 1`. */
export function describePlace({ in: kind, entry, page, line, cell }: FactPlace): string {
  const within =
    kind === 'tag'
      ? 'în DICOM'
      : kind === 'file-name'
        ? 'în numele fișierului'
        : kind === 'sender'
          ? 'în datele trimise cu fișierul'
          : kind === 'code'
            ? `în codul de bare${page === undefined ? '' : ` din pagina ${page}`}`
            : page !== undefined
              ? `în pagina ${page}`
              : cell !== undefined
                ? `în celula ${cell}`
                : line !== undefined
                  ? `în rândul ${line}`
                  : 'în text'
  return entry === undefined ? within : `${within} (${entry})`
}

/** Returns the reasons in words: `CNP în pagina 1`, `nume și data nașterii în DICOM`. */
export function describeReasons(reasons: readonly MatchReason[]): string {
  const places = Map.groupBy(reasons, ({ place }) => describePlace(place))
  return list().format(
    [...places].map(
      ([place, found]) => `${list().format(found.map(({ what }) => FACT_NAMES[what]))} ${place}`,
    ),
  )
}
