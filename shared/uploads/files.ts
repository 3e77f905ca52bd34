/** The kind of a file, recognised by its content. */
export const FILE_KINDS = ['pdf', 'image', 'zip', 'dicom', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/**
 * The result of a file's check. `unscanned`: accepted by the product's own check, and not scanned for malware;
 * `clean`: also scanned, without a finding.
 */
export const SCAN_RESULTS = ['pending', 'unscanned', 'clean', 'refused'] as const
export type ScanResult = (typeof SCAN_RESULTS)[number]

/** Whether a file with this result may be opened, once the state of its upload allows it. */
export const isAccepted = (result: ScanResult): boolean => result === 'unscanned' || result === 'clean'
