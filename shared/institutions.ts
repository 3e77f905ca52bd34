export const INSTITUTION_KINDS = ['clinic', 'hospital', 'laboratory', 'practice', 'other'] as const
export type InstitutionKind = (typeof INSTITUTION_KINDS)[number]

export const INSTITUTION_KIND_NAMES: Record<InstitutionKind, string> = {
  clinic: 'Clinică',
  hospital: 'Spital',
  laboratory: 'Laborator',
  practice: 'Cabinet medical',
  other: 'Alt tip',
}

export const INSTITUTION_CODE = {
  pattern: /^[A-Za-z0-9._-]+$/,
  message: 'Codul poate avea litere fără diacritice, cifre, punct și liniuță.',
} as const

/** The figures of an institution: their periods in days, today included, and where counting ends. */
export const INSTITUTION_FIGURES = { days: 30, daysLong: 90, daysMax: 366, countMax: 1_000 } as const
