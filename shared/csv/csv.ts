/** Written before the first line, so that spreadsheets read the file as UTF-8. */
export const CSV_START = '\uFEFF'

/**
 * Positions where a spreadsheet could see the start of a formula or drop a character: at the beginning of a
 * field, and after a comma, semicolon or tab, since it may split fields there. Also matches before `'`, so
 * that the added mark is unambiguous. Some spreadsheets read the wide forms of the signs like the others.
 */
const TRIGGER = /(?<=^|[,;\t])(?="*[=+\-@＝＋－＠'])|^(?=[\t\r\n\0])/g

/**
 * Returns one record of a CSV file (RFC 4180) with the semicolons of a Romanian Excel, every field in quotes.
 * Adds a `'` before anything that a spreadsheet could take for a formula: readers remove one `'` at the
 * beginning of a field and after each comma, semicolon and tab.
 */
export const writeCsvRecord = (fields: readonly string[]): string =>
  `${fields.map((field) => `"${field.replace(TRIGGER, "'").replaceAll('"', '""')}"`).join(';')}\r\n`

/** Returns a field without the marks that `writeCsvRecord` has added. */
export const readCsvField = (field: string): string =>
  field.replace(/(?<=^|[,;\t])'(?="*[=+\-@＝＋－＠'])|^'(?=[\t\r\n\0])/g, '')
