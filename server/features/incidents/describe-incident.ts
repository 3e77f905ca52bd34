import {
  AUTHORITY_NOTICE_NAMES,
  deadlineOf,
  OPENING_ACT_NAMES,
  PERSONS_NOTICE_NAMES,
} from '../../../shared/incidents/incidents.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { PdfSection } from '../../platform/pdf/write-document.ts'
import type { Opening } from '../uploads/released/openings.ts'
import type { IncidentRequestRow } from './deletion-requests.db.ts'
import type { IncidentRow, NoteRow } from './incidents.db.ts'
import { isWrongInstitution } from './open-incident.ts'

export type IncidentFacts = {
  incident: IncidentRow
  requests: readonly IncidentRequestRow[]
  notes: readonly NoteRow[]
}

/**
 * Returns the sections of an incident's report, in Romanian: what the notice to the authority has to say. No names of
 * patients, no CNPs.
 */
export function describeIncident({ incident, requests, notes }: IncidentFacts): PdfSection[] {
  return [
    { title: 'Ce s-a întâmplat', paragraphs: describeEvent(incident) },
    { title: 'Când', paragraphs: describeTimes(incident) },
    { title: 'Ce date și ale cui', paragraphs: describeData(incident) },
    { title: 'Cine l-a deschis', paragraphs: describeOpenings(incident) },
    { title: 'Măsuri luate', paragraphs: describeMeasures(incident, requests) },
    { title: 'Anunțarea', paragraphs: describeNotices(incident) },
    ...(notes.length > 0 ? [{ title: 'Note', paragraphs: notes.map(describeNote) }] : []),
    { title: 'Încheierea', paragraphs: [describeEnd(incident)] },
  ]
}

const describeEvent = (incident: IncidentRow): string[] =>
  isWrongInstitution(incident) ? describeWrongInstitution(incident) : describeWrongPatient(incident)

const describeWrongInstitution = (incident: IncidentRow): string[] => [
  `Rezultatul nr. ${incident.upload_number} al pacientului nr. ${incident.patient_number} a fost eliberat unei instituții căreia nu îi era destinat: ${incident.former_institution_name}.`,
  `Motivul corecturii: ${incident.reason}`,
]

const describeWrongPatient = (incident: IncidentRow): string[] => [
  `Rezultatul nr. ${incident.upload_number} a fost eliberat pentru pacientul nr. ${incident.former_number}, deși este al pacientului nr. ${incident.patient_number}.`,
  `Instituția care îl putea vedea: ${incident.former_institution_name ?? 'niciuna'}.`,
  `Motivul mutării: ${incident.reason}`,
]

const describeTimes = (incident: IncidentRow): string[] => [
  `Eliberat: ${formatMoment(incident.released_at)}.`,
  `Descoperit: ${formatMoment(incident.discovered_at)}.`,
  `${isWrongInstitution(incident) ? 'Luat instituției' : 'Mutat la pacientul căruia îi aparține'}: ${formatMoment(incident.moved_at)}, de ${incident.moved_by_name}.`,
  `Termenul de 72 de ore pentru anunțarea ANSPDCP: ${formatMoment(deadlineOf(incident.discovered_at))}.`,
]

const describePersons = (incident: IncidentRow): string =>
  isWrongInstitution(incident)
    ? `Persoana vizată: pacientul nr. ${incident.patient_number}, ale cărui date au fost dezvăluite.`
    : `Persoane vizate: pacientul nr. ${incident.patient_number}, ale cărui date au fost dezvăluite, și pacientul nr. ${incident.former_number}, la care a apărut un rezultat străin.`

const describeData = (incident: IncidentRow): string[] => [
  describePersons(incident),
  `Categorii de date: date de identificare (nume, CNP și data nașterii, dacă sunt scrise în fișiere) și date privind sănătatea${incident.category ? ` (categoria „${incident.category}”)` : ''}.`,
  `Cuprins: ${counted(incident.file_count, 'fișier', 'fișiere')}.`,
]

function describeOpenings({ openings }: IncidentRow): string[] {
  const people = openings as unknown as Opening[]
  if (people.length === 0) return ['Nimeni din afara organizației nu l-a deschis.']
  return people.map(
    ({ name, institutionName, acts }) =>
      `${name}${institutionName ? ` (${institutionName})` : ''}: ${acts.map(describeAct).join('; ')}.`,
  )
}

function describeAct({ kind, firstAt, lastAt }: Opening['acts'][number]): string {
  const [first, last] = [firstAt, lastAt].map((at) => formatMoment(new Date(at)))
  return `${OPENING_ACT_NAMES[kind]} pe ${first}${first === last ? '' : `, ultima dată pe ${last}`}`
}

const describeMeasures = (incident: IncidentRow, requests: readonly IncidentRequestRow[]): string[] => [
  `Accesul instituției era oprit pe ${formatMoment(incident.moved_at)}, la fel și descărcările în curs.`,
  isWrongInstitution(incident)
    ? 'Altă instituție îl primește numai după o nouă verificare.'
    : 'Rezultatul ajunge la o instituție numai după o nouă verificare, pentru pacientul căruia îi aparține.',
  ...requests.map(
    ({ institution_name, mailed, created_at, answered_at, answered_by_name }) =>
      `Instituția ${institution_name} a fost rugată pe ${formatMoment(created_at)} să șteargă ce a primit, în Dosar și prin mesaje către ${counted(mailed, 'cont', 'conturi')}; ${answered_at ? `a confirmat ștergerea pe ${formatMoment(answered_at)}${answered_by_name ? `, prin ${answered_by_name}` : ''}` : 'nu a confirmat încă ștergerea'}.`,
  ),
]

function describeNotices(incident: IncidentRow): string[] {
  const { authority, authority_at, persons, persons_at, discovered_at } = incident
  const isLate = authority === 'notified' && authority_at! > deadlineOf(discovered_at)
  return [
    authority
      ? `${AUTHORITY_NOTICE_NAMES[authority]} (${formatMoment(authority_at!)})${isLate ? ', după termenul de 72 de ore' : ''}.`
      : 'Nu s-a notat încă dacă ANSPDCP a fost anunțată.',
    persons
      ? `${PERSONS_NOTICE_NAMES[persons]} (${formatMoment(persons_at!)}).`
      : 'Nu s-a notat încă dacă persoanele au fost anunțate.',
  ]
}

const describeNote = ({ text, author_name, created_at }: NoteRow): string =>
  `${formatMoment(created_at)}, ${author_name}: ${text}`

export const describeEnd = ({ closed_at, closed_by_name, closed_reason }: IncidentRow): string =>
  closed_at
    ? `Încheiat pe ${formatMoment(closed_at)} de ${closed_by_name}: ${closed_reason}`
    : 'Incidentul este deschis.'
