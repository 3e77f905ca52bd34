/** Where the audit log is downloaded as a CSV file. */
export const AUDIT_EXPORT_PATH = '/api/logs.csv'
/** Entries in one file: more would exceed the memory of a browser or the rows of a spreadsheet. */
export const AUDIT_EXPORT_ROWS = 100_000
/** The response header that is `1` if there are more entries than the file has. */
export const AUDIT_EXPORT_CUT = 'x-dosar-cut'
