/** Before the first line: spreadsheets read the file as UTF-8 then. */
export const CSV_START = '\uFEFF'

/**
 * Where a cell would begin with what a spreadsheet takes for a formula, or swallows: at the beginning of a field, and
 * after what it may split one at when it was told of another separator. The mark itself too, so that it can be told apart.
 */
const TRIGGER = /(?<=^|[,;\t])(?="*[=+\-@'])|^(?=[\t\r\n\0])/g

/**
 * One record of a CSV file (RFC 4180) with the semicolons of a Romanian Excel, every field in quotes. What a spreadsheet
 * could take for a formula has a `'` before it: whoever reads the file takes one `'` off the beginning of a field and
 * one off after each comma, semicolon and tab.
 */
export const writeCsvRecord = (fields: readonly string[]): string =>
  `${fields.map((field) => `"${field.replace(TRIGGER, "'").replaceAll('"', '""')}"`).join(';')}\r\n`
