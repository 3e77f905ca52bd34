import { formatDate } from '../../shared/romania/romanian.ts'
import { EXAMINERS } from './people.ts'
import type { Random } from './random.ts'
import type { Analyte, ReportTemplate } from './report-templates.ts'

type ReportPatient = {
  surname: string
  given_names: string
  cnp: string | null
  birth_date: string | null
  sex: 'male' | 'female' | null
}

export type ReportRow = { name: string; value: string; unit: string; range: string; flag: '' | '↑' | '↓' }
type ReportSection = { heading: string; text: string }

/** The content of a report, without layout. */
export type Report = {
  title: string
  accession: string
  examinedOn: string
  /** Repeated on every page, so that a single page names its patient. */
  patientLine: string
  /** Labels and values at the head of the report. */
  facts: readonly (readonly [label: string, value: string])[]
  rows: readonly ReportRow[]
  sections: readonly ReportSection[]
  conclusion: string
  method: string
  examiner: string
}

const decimal = (value: number, decimals: number) =>
  value.toLocaleString('ro-RO', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

function rangeOf([, , low, high, decimals]: Analyte): string {
  if (low === null) return `< ${decimal(high!, decimals)}`
  return high === null
    ? `> ${decimal(low, decimals)}`
    : `${decimal(low, decimals)} – ${decimal(high, decimals)}`
}

/** Returns a value inside the reference interval, or a little outside it. */
function measure(random: Random, analyte: Analyte, healthy: boolean): ReportRow {
  const [name, unit, low, high, decimals] = analyte
  const bottom = low ?? (high ?? 1) * 0.35
  const top = high ?? bottom * 1.6
  const span = top - bottom
  const inRange = bottom + span * (0.12 + 0.76 * random.next())
  const aboveRange = top + span * (0.08 + 0.3 * random.next())
  const belowRange = Math.max(bottom * 0.6, bottom - span * (0.05 + 0.15 * random.next()))
  const isOutOfRange = !healthy && random.chance(0.3)
  const isAbove = isOutOfRange && high !== null && (low === null || random.chance(0.6))
  const isBelow = isOutOfRange && !isAbove && low !== null && low > 0
  const value = isAbove ? aboveRange : isBelow ? belowRange : inRange
  const flag = isAbove ? '↑' : isBelow ? '↓' : ''
  return { name, unit, value: decimal(value, decimals), range: rangeOf(analyte), flag }
}

const SEX = { male: 'Masculin', female: 'Feminin' }

/** Returns a report of this kind about the patient, with values and findings drawn by `random`. */
export function composeReport(
  random: Random,
  template: ReportTemplate,
  about: {
    patient: ReportPatient
    accession: string
    examinedOn: string
    institution: string
    doctor: string
  },
): Report {
  const { patient } = about
  const healthy = random.chance(0.55)
  const rows = (template.analytes ?? []).map((analyte) => measure(random, analyte, healthy))
  const findings = (template.findings ?? []).map(([heading, normal, ...others]) => ({
    heading,
    normal: normal!,
    text: !healthy && others.length > 0 && random.chance(0.6) ? random.pick(others) : normal!,
  }))
  const isNormal =
    rows.every(({ flag }) => flag === '') && findings.every(({ normal, text }) => normal === text)
  const [normalConclusion, ...otherConclusions] = template.conclusion
  return {
    title: template.title,
    accession: about.accession,
    examinedOn: about.examinedOn,
    patientLine: `${patient.surname} ${patient.given_names} · ${patient.cnp ? `CNP ${patient.cnp}` : 'fără CNP'}`,
    facts: [
      ['Nume', patient.surname],
      ['Prenume', patient.given_names],
      ['CNP', patient.cnp ?? 'fără CNP'],
      ['Data nașterii', patient.birth_date ? formatDate(patient.birth_date) : '–'],
      ['Sex', patient.sex ? SEX[patient.sex] : '–'],
      ['Nr. examinare', about.accession],
      ['Data examinării', formatDate(about.examinedOn)],
      ['Trimis de', about.institution],
      ['Medic trimițător', about.doctor],
    ],
    rows,
    sections: findings.map(({ heading, text }) => ({ heading, text })),
    conclusion: isNormal
      ? normalConclusion
      : random.pick(otherConclusions.length > 0 ? otherConclusions : [normalConclusion]),
    method: template.method,
    examiner: EXAMINERS[template.examiner],
  }
}

/** Returns the report as plain text, as a program extracts it from the PDF. */
export function reportText(report: Report): string {
  return [
    report.title,
    ...report.facts.map(([label, value]) => `${label}: ${value}`),
    ...report.rows.map(({ name, value, unit, range, flag }) => `${name} ${value} ${flag} ${unit} ${range}`),
    ...report.sections.map(({ heading, text }) => `${heading}: ${text}`),
    report.conclusion,
    report.method,
    report.examiner,
  ].join('\n')
}
