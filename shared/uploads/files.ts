/** The kind of a file, recognised by its content. */
export const FILE_KINDS = ['pdf', 'image', 'zip', 'dicom', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** The result of a file's check; only a clean file can be opened. */
export const SCAN_RESULTS = ['pending', 'clean', 'refused'] as const
export type ScanResult = (typeof SCAN_RESULTS)[number]
