import { parseCui } from '../../../shared/cui.ts'
import { parseEmail } from '../../../shared/email.ts'
import { formatPhone, parsePhone } from '../../../shared/phone.ts'
import type { InstitutionFacts } from './institutions.queries.ts'

/** What the form holds, as it is typed. */
export type InstitutionValues = {
  name: string
  shortName: string
  kind: string
  code: string
  cui: string
  tradeRegister: string
  county: string
  locality: string
  address: string
  phone: string
  email: string
  contacts: string
  delivery: string
  mayUpload: boolean
}
export type InstitutionField = keyof InstitutionValues

export const FIELD_LABELS: Record<InstitutionField, string> = {
  name: 'Denumire',
  shortName: 'Denumire scurtă',
  kind: 'Tip',
  code: 'Cod',
  cui: 'CUI',
  tradeRegister: 'Registrul comerțului',
  county: 'Județ',
  locality: 'Localitate',
  address: 'Adresă',
  phone: 'Telefon',
  email: 'E-mail',
  contacts: 'Persoane de contact',
  delivery: 'Anunțarea rezultatelor',
  mayUpload: 'Poate trimite fișiere',
}
const FIELDS = Object.keys(FIELD_LABELS) as InstitutionField[]

/** The form of an institution, or the empty one of a new. */
export function readValues(institution: InstitutionFacts | null): InstitutionValues {
  return {
    name: institution?.name ?? '',
    shortName: institution?.shortName ?? '',
    kind: institution?.kind ?? '',
    code: institution?.code ?? '',
    cui: institution?.cui ?? '',
    tradeRegister: institution?.tradeRegister ?? '',
    county: institution?.county ?? '',
    locality: institution?.locality ?? '',
    address: institution?.address ?? '',
    phone: institution?.phone ? formatPhone(institution.phone) : '',
    email: institution?.email ?? '',
    contacts: institution?.contacts ?? '',
    delivery: institution?.delivery ?? 'at_once',
    mayUpload: institution?.mayUpload ?? false,
  }
}

const CHECKS: Partial<Record<InstitutionField, (text: string) => string | null>> = {
  name: (text) => (text ? null : 'Denumirea este necesară.'),
  kind: (text) => (text ? null : 'Alege tipul instituției.'),
  code: (text) => {
    if (!text) return 'Codul este necesar.'
    return /^[A-Za-z0-9._-]+$/.test(text)
      ? null
      : 'Codul poate avea litere fără diacritice, cifre, punct și liniuță.'
  },
  cui: (text) => {
    const cui = parseCui(text)
    return !text || cui.ok ? null : cui.message
  },
  phone: (text) => {
    const phone = parsePhone(text)
    return !text || phone.ok ? null : phone.message
  },
  email: (text) => (!text || parseEmail(text) ? null : 'Te rog folosește o adresă de email validă.'),
}

/** What is wrong with each field, before the server is asked; it checks the same again. */
export function checkValues(values: InstitutionValues): Partial<Record<InstitutionField, string>> {
  const faults = FIELDS.flatMap((field) => {
    const fault = CHECKS[field]?.(String(values[field]).trim())
    return fault ? [[field, fault]] : []
  })
  return Object.fromEntries(faults)
}

export const changedFields = (before: InstitutionValues, after: InstitutionValues): InstitutionField[] =>
  FIELDS.filter((field) => before[field] !== after[field])

/**
 * Somebody else has saved while the form was open: what was typed here stays, the rest takes their values. `both` are the
 * fields that the two have changed differently.
 */
export function mergeValues(
  before: InstitutionValues,
  mine: InstitutionValues,
  theirs: InstitutionValues,
): { values: InstitutionValues; both: InstitutionField[] } {
  const edited = changedFields(before, mine)
  const values = { ...theirs, ...Object.fromEntries(edited.map((field) => [field, mine[field]])) }
  const both = changedFields(before, theirs).filter(
    (field) => edited.includes(field) && mine[field] !== theirs[field],
  )
  return { values, both }
}
