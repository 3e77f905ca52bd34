import type { Insertable } from 'kysely'
import type { DB } from '../../server/platform/database/types.generated.ts'

type Institution = Omit<Insertable<DB['institution']>, 'id' | 'name_key' | 'search'>
type User = Omit<Insertable<DB['app_user']>, 'id' | 'status' | 'password_hash'>

/** Institutions with their referring doctors. The CUIs are valid, in a range that is never assigned. */
export const DEMO_INSTITUTIONS: readonly (Institution & { doctors: readonly string[] })[] = [
  {
    name: 'Spitalul Municipal „Sfânta Ecaterina”',
    short_name: 'Sf. Ecaterina',
    kind: 'hospital',
    code: 'SME',
    cui: '9900000010',
    county: 'Cluj',
    locality: 'Cluj-Napoca',
    address: 'Str. Spitalului nr. 12, 400011',
    phone: '+40264555020',
    email: 'secretariat@sfanta-ecaterina.test',
    contacts: 'Registratură medicală: Lucia Pârvu, interior 114',
    delivery: 'at_once',
    may_upload: false,
    accent: 'sky',
    doctors: ['Dr. Radu Câmpeanu', 'Dr. Mirela Știrbu', 'Dr. Sorin Văcăroiu'],
  },
  {
    name: 'Clinica Medicală Zorile Noi',
    short_name: 'Zorile Noi',
    kind: 'clinic',
    code: 'CZN',
    cui: '9900000029',
    trade_register: 'J2024900001080',
    county: 'Brașov',
    locality: 'Brașov',
    address: 'Bd. Gării nr. 31, et. 2, 500203',
    phone: '+40268555030',
    email: 'receptie@zorile-noi.test',
    delivery: 'hourly',
    may_upload: true,
    accent: 'rose',
    doctors: ['Dr. Anca Bălășescu', 'Dr. Teodor Mînzat'],
  },
  {
    name: 'Cabinet de medicină de familie Dr. Ilinca Țurcanu-Șerban',
    short_name: 'CMF Dr. Țurcanu-Șerban',
    kind: 'practice',
    code: 'CMF-TS',
    cui: '9900000037',
    county: 'Iași',
    locality: 'Târgu Frumos',
    address: 'Str. Cuza Vodă nr. 5, 705300',
    phone: '+40722555040',
    email: 'cabinet@turcanu-serban.test',
    delivery: 'daily',
    may_upload: true,
    accent: 'lime',
    doctors: ['Dr. Ilinca Țurcanu-Șerban'],
  },
]

/** All accounts of the demo; the last three belong to the institutions, in their order. */
export const DEMO_ACCOUNTS: readonly User[] = [
  { email: 'admin@dosar.test', name: 'Ruxandra Olteanu', job_title: 'Administrator', role: 'admin' },
  {
    email: 'verificare@dosar.test',
    name: 'Dr. Matei Brânzan',
    job_title: 'Medic verificator',
    role: 'staff',
    features: ['admin::review-files', 'patient::files', 'patient::news'],
  },
  {
    email: 'registratura@dosar.test',
    name: 'Ștefania Lupșa',
    job_title: 'Registrator medical',
    role: 'staff',
    features: ['patient::files', 'patient::news'],
  },
  {
    email: 'institutia1@dosar.test',
    name: 'Lucia Pârvu',
    job_title: 'Registratură medicală',
    role: 'institution',
    phone: '+40722555114',
  },
  {
    email: 'institutia2@dosar.test',
    name: 'Răzvan Țiplea',
    job_title: 'Coordonator recepție',
    role: 'institution',
  },
  {
    email: 'institutia3@dosar.test',
    name: 'Dr. Ilinca Țurcanu-Șerban',
    job_title: 'Medic de familie',
    role: 'institution',
  },
]

/** A second user of the first institution, who shares its inbox. */
export const DEMO_COLLEAGUE: User = {
  email: 'institutia1-coleg@dosar.test',
  name: 'Marius Țigănuș',
  job_title: 'Asistent medical',
  role: 'institution',
}

export const DEMO_SETTINGS = {
  // Makes the sign-in page offer the accounts.
  demo: true,
  name: 'Centrul de Diagnostic Demo',
  title: 'Dosar – rezultate medicale',
  email: 'receptie@dosar.test',
  phone: '+40264555010',
  address: 'Str. Exemplului nr. 7, 400001 Cluj-Napoca',
  from_name: 'Centrul de Diagnostic Demo',
  from_email: 'rezultate@dosar.test',
  color_scheme: 'lime',
  login_provider: 'local',
  locales: ['ro'],
} as const
