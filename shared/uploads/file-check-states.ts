/**
 * What is known of a file before its check. `WAITING`: it was not read yet; `READ`; `REFUSED`: the check will refuse it;
 * `UNREADABLE`: it is locked, damaged, or has no text and no code, so that only a person can compare it.
 */
export const FILE_CHECK_STATES = ['WAITING', 'READ', 'REFUSED', 'UNREADABLE'] as const
export type FileCheckState = (typeof FILE_CHECK_STATES)[number]
