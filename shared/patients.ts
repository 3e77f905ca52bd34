/** How a patient prefers to be notified. */
export const CHANNELS = ['email', 'phone', 'paper'] as const
export type Channel = (typeof CHANNELS)[number]
export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  email: 'E-mail',
  phone: 'Telefon',
  paper: 'Pe hârtie',
}

/** Under this path `/{id}.zip` sends everything about a patient. */
export const PATIENT_RECORDS_PATH = '/api/patient-records'
/** The format of `pacient.json`, which docs/patient-record.md describes; the number rises when a reader has to change. */
export const PATIENT_RECORD_FORMAT = { format: 'dosar-patient-record', version: 1 } as const
