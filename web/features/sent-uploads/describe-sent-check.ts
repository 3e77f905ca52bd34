import type { ComparedFact } from '../../../shared/reviews/holds.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { describeAgreement } from '../new-upload/checks/file-statement.ts'
import { describeRejection, describeUnreadable } from '../preview/file-status.ts'
import type { SentCheck } from './sent-uploads.queries.ts'

export type SentStatement = {
  tone: 'success' | 'muted' | 'warning' | 'danger'
  text: string
  /** The one other patient of the institution whose facts the file has. */
  owner: SentCheck['patients'][number] | null
}

const DISAGREEING: Record<ComparedFact, string> = {
  cnp: 'CNP-ul din fișier nu este al pacientului ales.',
  name: 'Numele din fișier nu este al pacientului ales.',
  'birth-date': 'Data nașterii din fișier nu este a pacientului ales.',
}

/** Returns what a file says, for the user of an institution who sends it for this patient; null: for none. */
export function describeSentCheck(check: SentCheck, patientId: string | null): SentStatement {
  const { state, people, comparison, patients, isPartlyRead, file } = check
  const say = (tone: SentStatement['tone'], text: string) => ({ tone, text, owner: null })
  if (state === 'WAITING') return say('muted', 'Se citește…')
  if (state === 'REFUSED') {
    const refused = { name: file.name, scanResult: 'refused' as const, facts: check.refusalFacts }
    return say('danger', `Va fi oprit la control: ${describeRejection(refused) ?? ''}`)
  }
  if (people > 1)
    return say(
      'danger',
      `Numește ${counted(people, 'persoană', 'persoane')}: trimiteți fișierele fiecărui pacient separat.`,
    )
  const [owner = null, ...others] = patients.filter(({ id }) => id !== patientId)
  const only = others.length === 0 && patients.length === 1 ? owner : null
  const guess = only ? ` Pare al pacientului ${only.name}.` : ''
  const different = comparison.find(({ result }) => result === 'disagrees')
  if (different)
    return {
      tone: 'danger',
      text: `${DISAGREEING[different.what as ComparedFact]}${guess}`,
      owner: only,
    }
  if (state === 'UNREADABLE') {
    const why = describeUnreadable({ facts: { unreadable: check.unreadable } })
    return say('muted', `Nu se poate citi automat${why ? ` (${why})` : ''}; centrul îl va compara.`)
  }
  if (patientId === null)
    return { tone: 'muted', text: `Centrul stabilește al cui este.${guess}`, owner: only }
  const agreeing = comparison
    .filter(({ result }) => result === 'agrees')
    .map(({ what }) => what as ComparedFact)
  const partly = isPartlyRead ? ' Citit doar în parte.' : ''
  if (agreeing.length === 0) return say('warning', `Nu spune al cui este.${partly}`)
  return say('success', `${describeAgreement(agreeing)}.${partly}`)
}

export const KNOWN_FILE = 'Același fișier a mai fost trimis sau este deja în rezultatele dumneavoastră.'
