import { AUDIT_ACTIONS, type AuditAction } from '../../../shared/audit-actions.ts'
import { ROLE_NAMES, type Role } from '../../../shared/roles.ts'
import { counted, formatDate } from '../../../shared/romanian.ts'
import { UPLOAD_STATE_NAMES, type UploadState } from '../../../shared/upload-states.ts'
import type { AuditEvent } from './audit.queries.ts'

/** `Maria Ionescu`, then `a consultat lista pacienților (50 de rânduri)`. */
export type Sentence = { actor: string; predicate: string }

const isAction = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action)

/** Every action as the filter offers it: `S-a autentificat`. */
export const ACTION_OPTIONS = (Object.entries(AUDIT_ACTIONS) as [AuditAction, string][])
  .map(([id, text]) => ({ id, label: `${text[0]?.toLocaleUpperCase('ro')}${text.slice(1)}` }))
  .sort((one, other) => one.label.localeCompare(other.label, 'ro'))

/** Who did what. Somebody who has not signed in has no name; an action that this page does not know yet is its code. */
export function describeEvent({
  actorName,
  action,
  shownCount,
}: Pick<AuditEvent, 'actorName' | 'action' | 'shownCount'>): Sentence {
  const verb = isAction(action) ? AUDIT_ACTIONS[action] : action
  const shown =
    action === 'search' || action.endsWith('.list') ? ` (${counted(shownCount, 'rând', 'rânduri')})` : ''
  return { actor: actorName || 'Cineva', predicate: verb + shown }
}

export const roleName = (role: string | null): string | null =>
  role !== null && Object.hasOwn(ROLE_NAMES, role) ? ROLE_NAMES[role as Role] : null

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
  accession_number: 'Număr de acces',
  referring_doctor: 'Medic trimițător',
  note: 'Notă',
  transfers: 'Fișiere neterminate',
  // sign-in and access
  field: 'Ce',
  sessions: 'Sesiuni',
  // categories and their uploads, each under its slug
  order: 'Ordine',
}

/** `from` and `to` null: which values is not told, only that it changed. */
export type Change = { label: string; from: string | null; to: string | null }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The changed fields of an entry with both values, in words. Ids say nothing to people: only their field is named. */
export function describeChanges(changes: unknown): Change[] {
  if (!isRecord(changes)) return []
  return Object.entries(changes).map(([field, change]) => {
    const label = FIELD_NAMES[field] ?? field.replace(/^category:/, '').replace(/^uploads:/, 'Încărcările din ')
    if (field.endsWith('_id') || !isRecord(change)) return { label, from: null, to: null }
    return { label, from: describeValue(field, change.from), to: describeValue(field, change.to) }
  })
}

function describeValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'necompletat'
  if (typeof value === 'boolean') return value ? 'da' : 'nu'
  const text = String(value)
  if (field === 'state' && Object.hasOwn(UPLOAD_STATE_NAMES, text))
    return UPLOAD_STATE_NAMES[text as UploadState]
  return /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? formatDate(text) : text
}

const dayOf = (at: Date): string => at.toLocaleDateString('sv-SE')

/** The entries under the day of each, in the order in which they come. */
export function groupByDay<Event extends Pick<AuditEvent, 'at'>>(
  events: readonly Event[],
  now: Date,
): { day: string; title: string; events: Event[] }[] {
  const days = Map.groupBy(events, ({ at }) => dayOf(new Date(at)))
  return [...days].map(([day, of]) => ({ day, title: dayTitle(day, now), events: of }))
}

function dayTitle(day: string, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day === dayOf(now)) return 'Astăzi'
  if (day === dayOf(yesterday)) return 'Ieri'
  const weekday = new Date(`${day}T12:00:00`).toLocaleDateString('ro-RO', { weekday: 'long' })
  return `${weekday[0]?.toLocaleUpperCase('ro')}${weekday.slice(1)}, ${formatDate(day)}`
}
