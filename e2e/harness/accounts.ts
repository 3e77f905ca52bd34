/** The accounts of the demo organisation, by their role. */
export const ADMIN = 'admin@dosar.test'
export const REVIEWER = 'verificare@dosar.test'
export const REGISTRAR = 'registratura@dosar.test'
export const INSTITUTION = 'institutia1@dosar.test'
export const OTHER_INSTITUTION = 'institutia2@dosar.test'
export const DEMO_PASSWORD = 'dosar-demo-2026'
