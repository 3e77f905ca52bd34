import type { TurnaroundStep } from './upload-state-list.ts'

/** How far back the list of late results reads where it has no first day. */
export const LATE_DAYS_MAX = 90

/** The setting that has the hours within which a step should be done. */
export const TARGET_SETTINGS = {
  filing: 'target_filing_hours',
  release: 'target_release_hours',
  opening: 'target_opening_hours',
} as const satisfies Record<TurnaroundStep, string>

export const TURNAROUND_STEP_NAMES: Readonly<Record<TurnaroundStep, string>> = {
  filing: 'De la examinare la încărcare',
  release: 'De la încărcare la eliberare',
  opening: 'De la eliberare la prima deschidere',
}

export const LATE_NAMES: Readonly<Record<TurnaroundStep, string>> = {
  filing: 'Încărcate târziu',
  release: 'Eliberate târziu',
  opening: 'Deschise târziu',
}
