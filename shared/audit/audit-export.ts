/** Where the journal is fetched as a file, and how many entries one holds: more would not fit a browser, nor a spreadsheet. */
export const AUDIT_EXPORT_PATH = '/api/logs.csv'
export const AUDIT_EXPORT_ROWS = 100_000
/** Says `1` where there are more entries than the file holds. */
export const AUDIT_EXPORT_CUT = 'x-dosar-cut'
