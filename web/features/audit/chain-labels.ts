import type { ChainFaultKind } from '../../../shared/audit/chain-faults.ts'
import { lookUp } from '../../../shared/look-up.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { Verification } from './audit.queries.ts'

type Fault = Pick<Verification['faults'][number], 'entryId' | 'count'>

const entries = (count: number) => counted(count, 'înregistrare', 'înregistrări')
/** Returns the verb in the number of `count`. */
const lacks = (count: number) => (count === 1 ? 'Lipsește' : 'Lipsesc')

const SENTENCES: Record<ChainFaultKind, (fault: Fault) => string> = {
  changed: ({ entryId }) => `Înregistrarea nr. ${entryId} a fost modificată ori strecurată în jurnal.`,
  deleted: ({ entryId }) => `Înregistrarea nr. ${entryId} a fost ștearsă.`,
  missing: ({ entryId, count }) => `${lacks(count)} ${entries(count)} înaintea celei cu nr. ${entryId}.`,
  reordered: ({ entryId }) => `Înregistrarea nr. ${entryId} a fost mutată de la locul ei.`,
  inserted: ({ entryId }) => `Înregistrarea nr. ${entryId} a fost adăugată pe ascuns, nu de aplicație.`,
  backdated: ({ entryId }) =>
    `Înregistrarea nr. ${entryId} poartă o dată cu mai mult de o oră înaintea celor scrise deja când a fost adăugată.`,
  unsealed: ({ entryId, count }) =>
    `De peste o oră așteaptă să fie ${count === 1 ? 'legată' : 'legate'} în lanț: ${entries(count)}, începând cu nr. ${entryId}.`,
  rewritten: ({ entryId }) =>
    `Jurnalul a fost rescris până la înregistrarea nr. ${entryId}: nu se mai potrivește cu ancora păstrată în afara bazei de date.`,
  cut: ({ entryId, count }) =>
    entryId === null
      ? `Jurnalul a fost golit: ${lacks(count).toLowerCase()} ${entries(count)}.`
      : `${lacks(count)} ${entries(count)} de la sfârșit; ultima rămasă este nr. ${entryId}.`,
  more: ({ count }) => `Și încă ${counted(count, 'nepotrivire', 'nepotriviri')}.`,
  late: ({ entryId, count }) =>
    `${count === 1 ? 'Așteaptă' : 'Așteaptă de mult'} să fie legate în lanț: ${entries(count)}, începând cu nr. ${entryId}.`,
  'anchors-edited': ({ count }) =>
    `În fișierul de ancore sunt ${counted(count, 'linie nesemnată', 'linii nesemnate')} de acest server.`,
  'anchors-missing': () =>
    'Ancorele de la verificarea trecută lipsesc: folderul de date a fost mutat sau fișierul a fost șters.',
}

/** Returns a fault that a verification has found as a sentence that names the entry. */
export const describeFault = ({ kind, ...fault }: Verification['faults'][number]): string =>
  lookUp(SENTENCES, kind)?.(fault) ?? kind
