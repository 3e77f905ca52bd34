import { COMPARED_FACT_NAMES, type ComparedFact } from '../../../../shared/reviews/holds.ts'
import { counted } from '../../../../shared/romania/romanian.ts'
import { describePlace } from '../../preview/describe-place.ts'
import { describeRejection, describeUnreadable } from '../../preview/file-status.ts'
import { showValue } from '../../preview/show-value.ts'
import type { FileCheck } from '../new-upload.queries.ts'

/** What a file says of itself, for its row. */
export type FileStatement = {
  tone: 'success' | 'muted' | 'warning' | 'danger'
  text: string
  /** Whether the user is asked about it before the upload is submitted. */
  isConcern: boolean
  /** The one other patient whom the file names. */
  owner: FileCheck['patients'][number] | null
}

type ComparedLine = FileCheck['comparison'][number]

const say = (tone: FileStatement['tone'], text: string): FileStatement => ({
  tone,
  text,
  isConcern: tone === 'danger',
  owner: null,
})

/** Returns what a file of an upload for this patient says. */
export function describeCheck(check: FileCheck, patientId: string): FileStatement {
  const { state, people, comparison, patients, isPartlyRead, file } = check
  if (state === 'WAITING') return say('muted', 'Se citește…')
  if (state === 'REFUSED') return say('danger', `Va fi respins la control: ${describeRefusal(check)}`)
  if (people > 1)
    return say(
      'danger',
      /\.zip$/i.test(file.name)
        ? `Conține rezultatele a ${counted(people, 'persoană', 'persoane')}: despachetează arhiva și încarcă fiecare rezultat la pacientul lui.`
        : `Numește ${counted(people, 'persoană', 'persoane')}: desparte documentul și încarcă fiecare parte la pacientul ei.`,
    )
  const different = comparison.filter(({ result }) => result === 'disagrees')
  if (different.length > 0) {
    const [owner, ...others] = patients.filter(({ id }) => id !== patientId)
    const isOwned = owner !== undefined && others.length === 0 && patients.length === 1
    if (isOwned) return { ...say('danger', `${describeOwner(owner, different)}.`), owner }
    return say('danger', describeDifference(comparison, different, patients.length))
  }
  if (state === 'UNREADABLE') {
    const why = describeUnreadable({ facts: { unreadable: check.unreadable } })
    return say('muted', `Nu se poate citi automat${why ? ` (${why})` : ''}; verificatorul îl va compara.`)
  }
  const agreeing = comparison
    .filter(({ result }) => result === 'agrees')
    .map(({ what }) => what as ComparedFact)
  const partly = isPartlyRead ? ' Citit doar în parte.' : ''
  if (agreeing.length === 0) return say('warning', `Nu spune al cui este.${partly}`)
  return say('success', `${describeAgreement(agreeing)}.${partly}`)
}

/** The sentence of a fact that agrees alone, and its name among others. */
const AGREEING: Record<ComparedFact, { alone: string; name: string }> = {
  cnp: { alone: 'CNP-ul se potrivește', name: 'CNP' },
  name: { alone: 'Numele se potrivește', name: 'nume' },
  'birth-date': { alone: 'Data nașterii se potrivește', name: 'data nașterii' },
}

export function describeAgreement(facts: readonly ComparedFact[]): string {
  if (facts.length === 1) return AGREEING[facts[0]!].alone
  const names = facts.map((fact) => AGREEING[fact].name)
  const all = `${names.slice(0, -1).join(', ')} și ${names.at(-1)} se potrivesc`
  return all.charAt(0).toUpperCase() + all.slice(1)
}

const OWNED: Record<ComparedFact, string> = { cnp: 'CNP-ul', name: 'Numele', 'birth-date': 'Data nașterii' }

/** As „CNP-ul din pagina 1 este al lui Mureșan Mihai”. */
function describeOwner({ name, reasons }: FileCheck['patients'][number], different: readonly ComparedLine[]) {
  const line = different.find(({ what }) => reasons.includes(what)) ?? different[0]!
  const place = describePlace(line.disagreeing[0]?.place).replace(/^, (în )?/, '')
  return `${OWNED[line.what as ComparedFact]}${place && ` din ${place}`} este al lui ${name}`
}

function describeDifference(
  comparison: readonly ComparedLine[],
  different: readonly ComparedLine[],
  matching: number,
): string {
  const values = different
    .map(({ what, disagreeing }) => {
      const [first] = disagreeing
      const value = first ? ` ${showValue(what, first.value)}${describePlace(first.place)}` : ''
      return `${COMPARED_FACT_NAMES[what as ComparedFact]}${value}`
    })
    .join('; ')
  const names = different.map(({ what }) => what)
  const isOther =
    !comparison.some(({ result }) => result === 'agrees') && (names.includes('cnp') || names.includes('name'))
  if (isOther && matching === 0) return `${values}: este al unui alt pacient, care nu este înregistrat.`
  return `Nu se potrivește cu pacientul: ${values}.`
}

const describeRefusal = ({ refusal, file }: FileCheck): string =>
  describeRejection({ name: file.name, scanResult: 'refused', facts: refusal?.facts ?? null }) ??
  refusal?.sentence ??
  'Fișierul nu trece controlul.'

export type FileDuplicate = FileCheck['duplicates'][number]

/** The duplicate that matters most: first of this patient, then of another, then rejected. */
export const mainDuplicate = ({ duplicates }: FileCheck, patientId: string): FileDuplicate | null =>
  duplicates.toSorted((a, b) => rank(a, patientId) - rank(b, patientId))[0] ?? null

const rank = ({ upload: { state, patient } }: FileDuplicate, patientId: string): number =>
  state === 'rejected' ? 2 : patient?.id === patientId ? 0 : 1

/** Returns where the same file already is, before the link to that upload. */
export function describeDuplicate(
  { kind, upload: { state, patient } }: FileDuplicate,
  patientId: string,
): string {
  const what = kind === 'bytes' ? 'Același fișier' : 'Aceeași imagine'
  const of = patient?.id === patientId ? 'la acest pacient' : patient ? `la ${patient.name}` : 'fără pacient'
  return state === 'rejected' ? `${what} a fost ${REJECTED[kind]} ${of}:` : `${what} este deja ${of}:`
}

const REJECTED: Record<FileDuplicate['kind'], string> = { bytes: 'respins', instance: 'respinsă' }
