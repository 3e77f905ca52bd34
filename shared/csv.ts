/** Before the first line: spreadsheets read the file as UTF-8 then. */
export const CSV_START = '\uFEFF'

/** What a spreadsheet takes for a formula, or swallows, at the beginning of a cell; the mark itself, so that it can be told apart. */
const TRIGGER = /^[=+\-@\t\r\n\0']/

/**
 * One record of a CSV file (RFC 4180) with the semicolons of a Romanian Excel, every field in quotes. A field that a
 * spreadsheet could take for a formula begins with `'`: whoever reads the file takes one `'` off the beginning.
 */
export const writeCsvRecord = (fields: readonly string[]): string =>
  `${fields.map((field) => `"${(TRIGGER.test(field) ? `'${field}` : field).replaceAll('"', '""')}"`).join(';')}\r\n`
