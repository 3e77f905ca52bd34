/** Whether the bytes begin with one of these signatures, each written in Latin-1. */
export const startsWithAny = (head: Buffer, signatures: readonly string[]): boolean =>
  signatures.some((signature) => head.toString('latin1', 0, signature.length) === signature)

const ZIPS = ['PK\x03\x04', 'PK\x05\x06']
const OTHER_ARCHIVES = ['\x1f\x8b', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07', '\xfd7zXZ\0', 'BZh', 'MSCF\0\0\0\0']
const TAR_MARK_AT = 257

const DICOM_MARK_AT = 128

export const isPdf = (head: Buffer): boolean => startsWithAny(head, ['%PDF-'])
export const isZip = (head: Buffer): boolean => startsWithAny(head, ZIPS)
export const isDicom = (head: Buffer): boolean =>
  head.toString('latin1', DICOM_MARK_AT, DICOM_MARK_AT + 4) === 'DICM'
/** Whether it is a document of Office 97 to 2003, or another file of that structure. */
export const isOle = (head: Buffer): boolean => startsWithAny(head, ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'])

/** Whether it is an archive, or compressed, in a format other than ZIP. */
export const isOtherArchive = (head: Buffer): boolean =>
  startsWithAny(head, OTHER_ARCHIVES) || head.toString('latin1', TAR_MARK_AT, TAR_MARK_AT + 5) === 'ustar'
