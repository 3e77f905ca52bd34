/** Where the audit log is downloaded as a CSV file. */
export const AUDIT_EXPORT_PATH = '/api/logs.csv'
/** Where lists are downloaded: their filters are posted, since an address is logged and a search may be a name. */
export const PATIENTS_EXPORT_PATH = '/api/patients.csv'
export const UPLOADS_EXPORT_PATH = '/api/uploads.csv'
export const INSTITUTIONS_EXPORT_PATH = '/api/institutions.csv'
export const LEDGER_EXPORT_PATH = '/api/deliveries.csv'
/** Rows in one file: more would exceed the memory of a browser or the rows of a spreadsheet. */
export const EXPORT_ROWS = 100_000
/** The response header that is `1` if there are more rows than the file has. */
export const EXPORT_CUT = 'x-dosar-cut'
