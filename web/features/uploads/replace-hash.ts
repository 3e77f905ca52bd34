/** The hash of an upload's address that opens the dialog for a new version of it. */
export const REPLACE_HASH = 'inlocuieste'
