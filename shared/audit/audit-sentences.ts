import { ACCOUNT_STATUS_NAMES } from '../access/account-statuses.ts'
import { FEATURE_NAMES } from '../access/features.ts'
import { ROLE_NAMES } from '../access/roles.ts'
import { lookUp } from '../look-up.ts'
import { NEWS_KIND_NAMES, NEWS_VISIBILITY_NAMES } from '../news/news.ts'
import { ACCEPT_REASON_NAMES } from '../reviews/accept-reasons.ts'
import { counted, formatDate } from '../romania/romanian.ts'
import {
  SHARE_CHANNEL_NAMES,
  SHARE_END_NAMES,
  SHARE_PROOF_NAMES,
  SHARE_RECIPIENT_NAMES,
} from '../shares/shares.ts'
import { UPLOAD_STATE_NAMES } from '../uploads/upload-states.ts'
import { AUDIT_ACTIONS, type AuditAction } from './audit-actions.ts'

/** The two parts of a sentence: `Maria Ionescu` and `a consultat lista pacienților (50 de rânduri)`. */
export type Sentence = { actor: string; predicate: string }

const isAction = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action)

/**
 * Returns the Romanian sentence of an audit entry. An actor without a name, as of a failed sign-in, is
 * `Cineva`; an unknown action is its code.
 */
export function describeEvent({
  actorName,
  action,
  shownCount,
}: {
  actorName: string
  action: string
  /** How many rows the list returned. */
  shownCount: number
}): Sentence {
  const verb = isAction(action) ? AUDIT_ACTIONS[action] : action
  const rows =
    action === 'search' || action.endsWith('.list') ? ` (${counted(shownCount, 'rând', 'rânduri')})` : ''
  return { actor: actorName || 'Cineva', predicate: verb + rows }
}

/** Returns the Romanian name of a role; null for no role or an unknown one. */
export const roleName = (role: string | null): string | null => lookUp(ROLE_NAMES, role)

/** The Romanian labels of the fields in `changes` of audit entries. */
const FIELD_NAMES: Record<string, string> = {
  // patients
  surname: 'Nume',
  given_names: 'Prenume',
  previous_surname: 'Nume anterior',
  cnp: 'CNP',
  birth_date: 'Data nașterii',
  sex: 'Sex',
  preferred_channel: 'Canal preferat',
  notes: 'Observații',
  // referrals
  doctor: 'Medic trimițător',
  referred_on: 'Data trimiterii',
  number: 'Numărul trimiterii',
  ended_on: 'Încheiată la',
  mistaken: 'Adăugată din greșeală',
  // institutions
  name: 'Denumire',
  short_name: 'Denumire scurtă',
  kind: 'Tip',
  code: 'Cod',
  cui: 'CUI',
  trade_register: 'Registrul comerțului',
  contacts: 'Persoane de contact',
  delivery: 'Anunțarea rezultatelor',
  may_upload: 'Poate trimite fișiere',
  color: 'Culoare',
  accent: 'Culoare',
  suspended_at: 'Suspendată din',
  shut_out: 'Conturi fără acces',
  // both
  phone: 'Telefon',
  email: 'E-mail',
  county: 'Județ',
  locality: 'Localitate',
  address: 'Adresă',
  // uploads
  state: 'Stare',
  patient_id: 'Pacient',
  institution_id: 'Instituție',
  category_slug: 'Categorie',
  title: 'Titlu',
  examined_on: 'Data examinării',
  accession_number: 'Nr. examinare',
  referring_doctor: 'Medic trimițător',
  note: 'Notă',
  removed_reason: 'Motiv',
  replaces: 'Înlocuiește nr.',
  replaced_by: 'Înlocuită cu nr.',
  recalled_from: 'Instituția anunțată',
  moved_from: 'Din încărcarea nr.',
  moved_to: 'În încărcarea nr.',
  transfers: 'Fișiere neterminate',
  malware: 'Găsit de antivirus',
  reason: 'Motiv',
  search: 'Căutat',
  release_at: 'Se eliberează',
  holds: 'Oprită la acceptare',
  disagreeing: 'Nu se potrivește',
  accept_reason: 'De ce este corect așa',
  uploads: 'Încărcări',
  operation: 'Operația',
  referrals: 'Trimiteri',
  files: 'Fișiere',
  bytes: 'Octeți',
  // news about patients
  visibility: 'Cine citește',
  revision: 'Textul nr.',
  pinned_until: 'Fixată până la',
  news: 'Noutăți',
  // accounts
  job_title: 'Funcția',
  role: 'Rol',
  features: 'Drepturi',
  institutions: 'Instituții',
  status: 'Starea contului',
  // sign-in and access
  field: 'Ce',
  times: 'De câte ori',
  sessions: 'Sesiuni',
  // shares
  recipient_kind: 'Pentru',
  recipient_name: 'Destinatar',
  channel: 'Cum ajunge',
  proof: 'Dovada cerută',
  expires_at: 'Valabil până la',
  max_openings: 'Deschideri permise',
  ended_why: 'De ce s-a închis',
  // a download of a list or of the audit log
  mine: 'Doar ale mele',
  unopened: 'Nedeschise',
  sender: 'Sursă',
  late: 'Întârziate',
  from: 'De la',
  to: 'Până la',
  actor_id: 'Persoană',
  action: 'Acțiune',
  outcome: 'Rezultat',
  rows: 'Rânduri',
  withoutReads: 'Fără consultări',
  // a verification of the audit log
  position: 'Ultimul loc din lanț',
  faults: 'Nepotriviri',
  // settings
  url: 'Adresa site-ului',
  favicon: 'Pictograma',
  logo: 'Sigla',
  branding: '„Realizat cu Dosar”',
  from_name: 'Numele expeditorului',
  from_email: 'Adresa expeditorului',
  url_backend: 'Serverul de date',
  color_scheme: 'Culoarea de accent',
  login_provider: 'Autentificare prin',
  second_factor_required: 'Al doilea factor obligatoriu',
  session_refresh_visible: 'Sesiunea se verifică la revenirea pe pagină',
  session_idle_hours: 'Sesiunea se încheie fără activitate după (ore)',
  session_refresh_ms: 'Sesiunea se verifică la fiecare (ms)',
  logo_navigation: 'Sigla din navigație',
  logo_navigation_width: 'Lățimea siglei din navigație',
  search_application_id: 'Aplicația serviciului de căutare',
  search_public_key: 'Cheia publică de căutare',
  search_lite_client: 'Client de căutare redus',
  search_recommendations: 'Recomandări la căutare',
  search_response_cache: 'Păstrarea răspunsurilor căutării',
  delivery_default: 'Anunțarea instituțiilor noi',
  target_filing_hours: 'Ținta până la încărcare (ore)',
  target_release_hours: 'Ținta până la eliberare (ore)',
  target_opening_hours: 'Ținta până la deschidere (ore)',
  reminder_days: 'Amintirea rezultatelor nedeschise (zile)',
  share_days: 'Valabilitatea partajării (zile)',
  share_days_max: 'Valabilitatea maximă a partajării (zile)',
  share_proofs: 'Dovezi la partajare',
  retention_years: 'Păstrare (ani)',
  undo_seconds: 'Anularea unui verdict (secunde)',
  upload_file_mib: 'Mărimea unui fișier (MB)',
  upload_files: 'Fișiere pe încărcare',
  upload_unfinished_hours: 'Păstrarea fișierelor neterminate (ore)',
  upload_unfinished_per_user: 'Fișiere neterminate de persoană',
  upload_active_content: 'Fișiere cu conținut activ',
  // integrations
  addresses: 'Adrese permise',
  submits_to_review: 'Trimite direct la verificare',
  // categories and their uploads, each under its slug
  order: 'Ordine',
}

/**
 * A changed field with its label. `from` is null if the entry has no former value, as for a count; `from` and
 * `to` are null if only the label is shown.
 */
export type Change = { label: string; from: string | null; to: string | null }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the changed fields of an audit entry with Romanian labels and values. A field that contains an id
 * is named without its values, which no reader could understand.
 */
export function describeChanges(changes: unknown, action = ''): Change[] {
  if (!isRecord(changes)) return []
  // A person's field `name` has another label than an institution's.
  const names = action.startsWith('account.') ? { ...FIELD_NAMES, name: 'Nume' } : FIELD_NAMES
  return Object.entries(changes).map(([field, change]) => {
    const label = names[field] ?? field.replace(/^category:/, '').replace(/^uploads:/, 'Încărcările din ')
    if (field.endsWith('_id') || !isRecord(change)) return { label, from: null, to: null }
    const from = 'from' in change ? describeValue(field, change.from) : null
    return { label, from, to: describeValue(field, change.to) }
  })
}

/** The names of the codes that a field may have. */
const CODE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: ROLE_NAMES,
  status: ACCOUNT_STATUS_NAMES,
  state: UPLOAD_STATE_NAMES,
  accept_reason: ACCEPT_REASON_NAMES,
  kind: NEWS_KIND_NAMES,
  visibility: NEWS_VISIBILITY_NAMES,
  recipient_kind: SHARE_RECIPIENT_NAMES,
  channel: SHARE_CHANNEL_NAMES,
  proof: SHARE_PROOF_NAMES,
  ended_why: SHARE_END_NAMES,
}

function describeValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'necompletat'
  if (typeof value === 'boolean') return value ? 'da' : 'nu'
  if (Array.isArray(value)) {
    const items =
      field === 'features' ? value.map((code) => lookUp(FEATURE_NAMES, String(code)) ?? code) : value
    return items.join(', ') || 'necompletat'
  }
  const text = String(value)
  const names = CODE_NAMES[field]
  if (names) return lookUp(names, text) ?? text
  return /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? formatDate(text) : text
}
