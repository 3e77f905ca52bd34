/** A table of figures as Markdown prints it, with notes below. */
export type Table = { title: string; columns: string[]; rows: string[][]; notes: string[] }
