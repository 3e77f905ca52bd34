import { explainFailure } from '../../../shared/messages/explain-failure.ts'
import { MAIL_KIND_NAMES, type MailKind } from '../../../shared/messages/mail-kinds.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { type Addressing, literal, type MailTexts } from './mail-layout.ts'

/** To a user of an institution: how many results are new, were not opened, or are not valid any more. */
export type Results = {
  kind: 'results'
  institution: string
  fresh: number
  unopened: number
  recalled: number
}

/** To the user whose act caused a mail to somebody else that failed for the reason `code`; names no recipient. */
export type MailFailed = { kind: 'mail-failed'; failed: string; at: Date; code: string; path: string }

/** To administrators: the chain of the audit log is broken, or jobs have failed. */
export type Problems = { kind: 'problems'; isChainBroken: boolean; haveJobsFailed: boolean }

/** Returns a digest of results: counts alone, since the mail leaves the product. Its readers are users of institutions. */
export const composeResults = (
  { institution, fresh, unopened, recalled }: Results,
  { site }: Addressing,
): MailTexts => ({
  subject: digestSubject(fresh, recalled),
  paragraphs: [
    `Pentru ${literal(institution)}:`,
    ...(fresh > 0 ? [`– ${counted(fresh, 'rezultat nou', 'rezultate noi')}`] : []),
    ...(unopened > 0
      ? [
          `– ${counted(unopened, 'rezultat eliberat mai demult, pe care nu l-a deschis nimeni', 'rezultate eliberate mai demult, pe care nu le-a deschis nimeni')}`,
        ]
      : []),
    ...(recalled > 0
      ? [
          `– ${counted(recalled, 'rezultat pe care l-ați deschis și care a fost retras sau înlocuit', 'rezultate pe care le-ați deschis și care au fost retrase sau înlocuite')}. Vă rugăm să nu mai folosiți copiile.`,
        ]
      : []),
  ],
  action: { label: 'Deschideți rezultatele', url: `${site.url}/institution` },
  notes: [
    'Mesajul nu numește niciun pacient: datele se văd doar în Dosar, după autentificare.',
    'Cât de des primiți astfel de mesaje alegeți în Dosar, în meniul contului, la „Setările contului”.',
  ],
})

function digestSubject(fresh: number, recalled: number): string {
  if (recalled > 0)
    return fresh > 0 ? 'Rezultate noi și rezultate retrase' : 'Rezultate care nu mai sunt valabile'
  return fresh > 0 ? 'Rezultate noi' : 'Rezultate nedeschise'
}

const kindName = (kind: string): string =>
  Object.hasOwn(MAIL_KIND_NAMES, kind) ? MAIL_KIND_NAMES[kind as MailKind] : 'Mesaj'

export const composeMailFailed = (
  { failed, at, code, path }: MailFailed,
  { choose, site }: Addressing,
): MailTexts => ({
  subject: 'Un mesaj nu a ajuns',
  paragraphs: [
    `Un mesaj pornit de ${choose('tine', 'dumneavoastră')} pe ${formatMoment(at)} („${kindName(failed)}”) nu a ajuns la destinatar: ${explainFailure(code)}.`,
    'Nu se mai încearcă trimiterea lui.',
  ],
  action: { label: choose('Deschide Dosar', 'Deschideți Dosar'), url: `${site.url}${path}` },
  notes: [],
})

export const composeProblems = (
  { isChainBroken, haveJobsFailed }: Problems,
  { site }: Addressing,
): MailTexts => ({
  subject: 'Dosar are o problemă',
  paragraphs: [
    ...(isChainBroken
      ? ['Verificarea jurnalului de activitate a găsit că jurnalul nu mai este așa cum a fost scris.']
      : []),
    ...(haveJobsFailed
      ? ['O lucrare de fond nu a reușit și nu se mai încearcă de la sine. Pagina „Sistem” o numește.']
      : []),
  ],
  action: isChainBroken
    ? { label: 'Vezi jurnalul', url: `${site.url}/logs` }
    : { label: 'Vezi starea serverului', url: `${site.url}/admin?tab=sistem` },
  notes: ['O problemă se anunță o singură dată, până se rezolvă.'],
})
