import { isAddressedFormally, type Role } from '../../../shared/access/roles.ts'
import { deadlineOf } from '../../../shared/incidents/incidents.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { ShareProof } from '../../../shared/site/setting-bounds.ts'
import {
  composeMailFailed,
  composeProblems,
  composeResults,
  type MailFailed,
  type Problems,
  type Results,
} from './compose-notices.ts'
import { type Addressing, literal, type MailSite, type MailText, type MailTexts } from './mail-layout.ts'

/**
 * The kinds of mail with their data. Mail never names a patient, a finding, a category or a CNP; a result only by its
 * number.
 */
export type MailContent =
  /**
   * `inviter` null: the recipient requested it again; `link` null: the user signs in by the OpenID provider.
   */
  | { kind: 'invitation'; inviter: string | null; link: string | null }
  | { kind: 'reset'; link: string }
  | { kind: 'password-changed'; at: Date }
  | { kind: 'recovery-codes'; at: Date }
  /** `passkey`: its name. */
  | { kind: 'passkey-added' | 'passkey-removed'; passkey: string; at: Date }
  /** Sent to the old and to the new address; `by`: the administrator's name. */
  | { kind: 'address-changed'; isNew: boolean; by: string }
  | { kind: 'sign-in-blocked'; failures: number }
  /** To the users of an institution: a result was released by mistake. */
  | { kind: 'deletion-request'; uploadNumber: number; releasedAt: Date }
  /** To administrators: the 72 hours for the notice to the authority run. */
  | {
      kind: 'incident-opened'
      incidentId: string
      incidentNumber: number
      uploadNumber: number
      discoveredAt: Date
    }
  /** To the recipient of a share, whose name it does not have. */
  | { kind: 'share'; link: string; expiresAt: Date; proof: ShareProof }
  | { kind: 'share-code'; code: string }
  /** To the recipient of a share who had opened a result that is not valid any more. */
  | { kind: 'share-recalled'; isReplaced: boolean }
  /** To the maker of a share that wrong proofs have ended; `link`: the page of the patient. */
  | { kind: 'share-ended'; link: string; at: Date }
  | Results
  | MailFailed
  | Problems
  | { kind: 'test' }

/** To persons without an account. */
const FOR_RECIPIENTS: ReadonlySet<MailContent['kind']> = new Set(['share', 'share-code', 'share-recalled'])

/** `role` null: not known. */
export type Recipient = { name: string; role: Role | null }

/**
 * Returns the mail in Romanian, addressing institution users and persons without an account with *dumneavoastră*, all
 * others with *tu*.
 * `site.url` is the address of the product.
 */
export function writeMail(content: MailContent, recipient: Recipient, site: MailSite): MailText {
  const isFormal =
    FOR_RECIPIENTS.has(content.kind) || (recipient.role !== null && isAddressedFormally(recipient.role))
  const texts = composeTexts(content, site, isFormal)
  const contacts = [site.email, site.phone && formatPhone(site.phone)].filter((contact) => contact !== '')
  return {
    ...texts,
    subject: `${texts.subject} – ${site.name}`,
    greeting: `${isFormal ? 'Bună ziua' : 'Bună'}${recipient.name && `, ${literal(recipient.name)}`},`,
    signature: [
      literal(site.name),
      ...(site.address ? [literal(site.address)] : []),
      site.url,
      ...(contacts.length > 0 ? [`Întrebări? ${contacts.join(' · ')}`] : []),
      'Mesaj trimis automat; la el nu răspunde nimeni.',
      ...(site.branding ? ['Realizat cu Dosar'] : []),
    ],
  }
}

function composeTexts(content: MailContent, site: MailSite, isFormal: boolean): MailTexts {
  const to: Addressing = { choose: (tu, formal) => (isFormal ? formal : tu), site }
  switch (content.kind) {
    case 'invitation':
      return composeInvitation(content, to)
    case 'reset':
      return composeReset(content, to)
    case 'password-changed':
      return composePasswordChanged(content, to)
    case 'recovery-codes':
      return composeRecoveryCodes(content, to)
    case 'passkey-added':
    case 'passkey-removed':
      return composePasskeyChanged(content, to)
    case 'address-changed':
      return composeAddressChanged(content, to)
    case 'sign-in-blocked':
      return composeSignInBlocked(content, to)
    case 'deletion-request':
      return composeDeletionRequest(content, to)
    case 'incident-opened':
      return composeIncidentOpened(content, to)
    case 'share':
      return composeShare(content, to)
    case 'share-code':
      return composeShareCode(content)
    case 'share-recalled':
      return composeShareRecalled(content)
    case 'share-ended':
      return composeShareEnded(content)
    case 'results':
      return composeResults(content, to)
    case 'mail-failed':
      return composeMailFailed(content, to)
    case 'problems':
      return composeProblems(content, to)
    case 'test':
      return composeTest()
  }
}

type ContentOf<K extends MailContent['kind']> = Extract<MailContent, { kind: K }>

const NO_PATIENT_DATA = 'Nu trimite date despre pacienți prin mesaje.'
const NO_PATIENT_DATA_FORMAL = 'Nu răspundeți la acest mesaj cu date despre pacient.'
const UNEXPECTED = 'Dacă nu știți despre ce este vorba, puteți ignora mesajul.'

const toSignIn = (site: MailSite) => ({ label: 'Mergi la autentificare', url: site.url })

function composeInvitation(content: ContentOf<'invitation'>, { choose, site }: Addressing): MailTexts {
  const owner = site.name === 'Dosar' ? '' : ` de la ${literal(site.name)}`
  const product = `Dosar, portalul de rezultate medicale${owner}`
  return {
    subject: 'Invitație în Dosar',
    paragraphs: [
      content.inviter
        ? `${literal(content.inviter)} ${choose('te', 'vă')} invită în ${product}.`
        : `${choose('Ai', 'Aveți')} o invitație în ${product}.`,
      content.link
        ? choose('Alege-ți parola și contul tău este gata.', 'Alegeți-vă parola și contul este gata.')
        : choose(
            'Contul tău este gata: autentifică-te ca în celelalte aplicații ale organizației.',
            'Contul este gata: vă autentificați ca în celelalte aplicații ale organizației.',
          ),
    ],
    action: content.link ? { label: 'Alege parola', url: content.link } : toSignIn(site),
    notes: [
      ...(content.link
        ? [
            `Linkul este valabil ${counted(LIMITS.invitationDays, 'zi', 'zile')} și poate fi folosit o singură dată. Dacă a expirat, „Ai uitat parola?” de pe pagina de autentificare trimite altul.`,
          ]
        : []),
      choose('Dacă nu știi despre ce este vorba, ignoră mesajul.', UNEXPECTED),
    ],
  }
}

const composeReset = (content: ContentOf<'reset'>, { choose }: Addressing): MailTexts => ({
  subject: 'Parolă nouă',
  paragraphs: [
    choose(
      'Cineva, probabil tu, a cerut o parolă nouă pentru contul tău din Dosar.',
      'Cineva, probabil dumneavoastră, a cerut o parolă nouă pentru contul dumneavoastră din Dosar.',
    ),
  ],
  action: { label: 'Alege parola nouă', url: content.link },
  notes: [
    `Linkul este valabil ${counted(LIMITS.resetMinutes, 'minut', 'minute')} și poate fi folosit o singură dată. Un mesaj mai nou îl înlocuiește.`,
    choose(
      'Dacă nu ai cerut tu o parolă nouă, ignoră mesajul: parola ta rămâne cea de acum.',
      'Dacă nu ați cerut o parolă nouă, puteți ignora mesajul: parola rămâne cea de acum.',
    ),
  ],
})

const composePasswordChanged = (
  content: ContentOf<'password-changed'>,
  { choose, site }: Addressing,
): MailTexts => ({
  subject: choose('Parola ta a fost schimbată', 'Parola contului a fost schimbată'),
  paragraphs: [
    `Parola contului ${choose('tău', 'dumneavoastră')} din Dosar a fost schimbată pe ${formatMoment(content.at)}. Celelalte sesiuni au fost închise.`,
  ],
  action: toSignIn(site),
  notes: [
    choose(
      'Dacă nu ai schimbat-o tu, cere imediat o parolă nouă („Ai uitat parola?” pe pagina de autentificare) și anunță administratorul.',
      'Dacă nu ați schimbat-o dumneavoastră, cereți imediat o parolă nouă („Ai uitat parola?” pe pagina de autentificare) și anunțați administratorul.',
    ),
  ],
})

const notOwnChange = (choose: Addressing['choose']): string =>
  choose(
    'Dacă nu ai făcut tu această schimbare, schimbă-ți imediat parola, închide celelalte sesiuni și anunță administratorul.',
    'Dacă nu ați făcut dumneavoastră această schimbare, schimbați imediat parola, închideți celelalte sesiuni și anunțați administratorul.',
  )

const composeRecoveryCodes = ({ at }: { at: Date }, { choose, site }: Addressing): MailTexts => ({
  subject: 'Coduri de recuperare noi',
  paragraphs: [
    `Pe ${formatMoment(at)}, pentru contul ${choose('tău', 'dumneavoastră')} din Dosar au fost generate coduri de recuperare noi. Cele de până acum nu mai sunt bune.`,
  ],
  action: toSignIn(site),
  notes: [notOwnChange(choose)],
})

const composePasskeyChanged = (
  { kind, passkey, at }: Extract<MailContent, { passkey: string }>,
  { choose, site }: Addressing,
): MailTexts => ({
  subject: kind === 'passkey-added' ? 'Cheie de acces nouă' : 'Cheie de acces eliminată',
  paragraphs: [
    kind === 'passkey-added'
      ? `Pe ${formatMoment(at)}, la contul ${choose('tău', 'dumneavoastră')} din Dosar a fost adăugată cheia de acces „${literal(passkey)}”. Cu ea se poate intra în cont fără parolă.`
      : `Pe ${formatMoment(at)}, din contul ${choose('tău', 'dumneavoastră')} din Dosar a fost eliminată cheia de acces „${literal(passkey)}”. Cu ea nu se mai poate intra în cont.`,
  ],
  action: toSignIn(site),
  notes: [notOwnChange(choose)],
})

const composeAddressChanged = (
  content: ContentOf<'address-changed'>,
  { choose, site }: Addressing,
): MailTexts => ({
  subject: choose('Adresa contului tău a fost schimbată', 'Adresa contului a fost schimbată'),
  paragraphs: [
    content.isNew
      ? `${literal(content.by)}, administrator, a trecut această adresă la contul ${choose('tău din Dosar. De acum te autentifici', 'dumneavoastră din Dosar. De acum vă autentificați')} cu ea.`
      : `${literal(content.by)}, administrator, a trecut altă adresă la contul ${choose('tău din Dosar. Cu aceasta nu te mai poți', 'dumneavoastră din Dosar. Cu aceasta nu vă mai puteți')} autentifica.`,
    'Parola și linkurile de până acum nu mai sunt valabile, iar sesiunile deschise au fost închise.',
  ],
  action: content.isNew ? toSignIn(site) : null,
  notes: [
    choose(
      'Dacă nu știi despre această schimbare, anunță imediat organizația.',
      'Dacă nu știți despre această schimbare, anunțați imediat organizația.',
    ),
  ],
})

const composeSignInBlocked = (
  content: ContentOf<'sign-in-blocked'>,
  { choose, site }: Addressing,
): MailTexts => ({
  subject: choose(
    'Contul tău a fost blocat pentru parole greșite',
    'Contul a fost blocat pentru parole greșite',
  ),
  paragraphs: [
    `Pentru contul ${choose('tău', 'dumneavoastră')} din Dosar s-au introdus la rând ${counted(content.failures, 'parolă greșită', 'parole greșite')}. Autentificarea cu parola de acum a fost oprită.`,
    choose(
      'Merge în continuare doar din browserele în care te-ai autentificat deja. Ca să intri din altele, cere o parolă nouă: deschide pagina de autentificare și alege „Ai uitat parola?”.',
      'Merge în continuare doar din browserele în care v-ați autentificat deja. Ca să intrați din altele, cereți o parolă nouă: „Ai uitat parola?”, pe pagina de autentificare.',
    ),
  ],
  action: toSignIn(site),
  notes: [
    choose(
      'Dacă nu ai încercat tu, anunță administratorul: cineva încearcă să-ți ghicească parola.',
      'Dacă nu ați încercat dumneavoastră, anunțați administratorul: cineva încearcă să ghicească parola.',
    ),
  ],
})

const composeDeletionRequest = (
  { uploadNumber, releasedAt }: ContentOf<'deletion-request'>,
  { site }: Addressing,
): MailTexts => ({
  subject: 'Vă rugăm să ștergeți un rezultat',
  paragraphs: [
    `Rezultatul nr. ${uploadNumber}, eliberat pe ${formatMoment(releasedAt)}, a fost eliberat din greșeală și nu mai este disponibil.`,
    'Vă rugăm să ștergeți fișierele descărcate și copiile lor, tipărite sau trimise mai departe, apoi să confirmați în Dosar, la Rezultate, cu „Am șters”.',
  ],
  action: toSignIn(site),
  notes: [NO_PATIENT_DATA_FORMAL],
})

const composeIncidentOpened = (
  { incidentId, incidentNumber, uploadNumber, discoveredAt }: ContentOf<'incident-opened'>,
  { site }: Addressing,
): MailTexts => ({
  subject: `Incident nr. ${incidentNumber}: un rezultat eliberat greșit`,
  paragraphs: [
    `Rezultatul nr. ${uploadNumber} a fost eliberat greșit, iar accesul la el s-a oprit. Incidentul nr. ${incidentNumber} are ce se știe despre el.`,
    `ANSPDCP trebuie anunțată până pe ${formatMoment(deadlineOf(discoveredAt))}, dacă există un risc pentru persoane.`,
  ],
  action: { label: 'Vezi incidentul', url: `${site.url}/incidents/${incidentId}` },
  notes: [NO_PATIENT_DATA],
})

const PROOF_TEXTS: Readonly<Record<ShareProof, string>> = {
  birth_date: 'La deschidere vi se cere data nașterii pacientului.',
  pin: 'La deschidere vi se cere PIN-ul pe care l-ați primit separat.',
  email: 'La deschidere vă trimitem un cod la această adresă.',
}

const composeShare = ({ link, expiresAt, proof }: ContentOf<'share'>, { site }: Addressing): MailTexts => ({
  subject: 'Aveți documente de deschis',
  paragraphs: [`${literal(site.name)} v-a trimis documente.`, PROOF_TEXTS[proof]],
  action: { label: 'Deschideți documentele', url: link },
  notes: [`Linkul este valabil până pe ${formatMoment(expiresAt)}. Nu îl trimiteți mai departe.`, UNEXPECTED],
})

const composeShareCode = ({ code }: ContentOf<'share-code'>): MailTexts => ({
  subject: 'Codul dumneavoastră',
  paragraphs: [
    `Codul pentru deschiderea documentelor este ${code}.`,
    `Este valabil ${counted(LIMITS.shareCodeMinutes, 'minut', 'minute')} și poate fi folosit o singură dată.`,
  ],
  action: null,
  notes: ['Dacă nu ați cerut un cod, nu îl dați nimănui: cineva are linkul pe care l-ați primit.'],
})

const composeShareRecalled = ({ isReplaced }: ContentOf<'share-recalled'>): MailTexts => ({
  subject: 'Un document deschis de dumneavoastră nu mai este valabil',
  paragraphs: [
    isReplaced
      ? 'Un document pe care l-ați deschis la linkul primit de la noi a fost înlocuit cu unul nou.'
      : 'Un document pe care l-ați deschis la linkul primit de la noi a fost retras.',
    'Vă rugăm să nu mai folosiți copiile descărcate sau tipărite.',
    isReplaced
      ? 'Dacă linkul este încă valabil, documentul nou se deschide cu el. Altfel, vă rugăm să ne contactați.'
      : 'Pentru documentul corect, vă rugăm să ne contactați.',
  ],
  action: null,
  notes: [NO_PATIENT_DATA_FORMAL],
})

const composeShareEnded = ({ link, at }: ContentOf<'share-ended'>): MailTexts => ({
  subject: 'Un link cu rezultate a fost închis',
  paragraphs: [
    `Pe ${formatMoment(at)}, la un link cu rezultate trimis de tine s-a greșit dovada a zecea oară, iar linkul s-a închis.`,
    'Dacă destinatarul încă are nevoie de rezultate, vorbește cu el și trimite-i alt link.',
  ],
  action: { label: 'Vezi linkurile', url: link },
  notes: [NO_PATIENT_DATA],
})

const composeTest = (): MailTexts => ({
  subject: 'Mesaj de probă',
  paragraphs: ['Acest mesaj arată că Dosar poate trimite mesaje.'],
  action: null,
  notes: [],
})
