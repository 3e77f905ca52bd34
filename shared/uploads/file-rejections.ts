/**
 * Why a received file is rejected, with the sentence for the uploader. The code is stored in `facts.reason`.
 */
export const FILE_REJECTIONS = {
  'type-not-allowed':
    'Tipul fișierului nu este acceptat: doar PDF, JPEG, PNG, DICOM, ZIP, DOCX, XLSX, TXT și CSV.',
  'extension-mismatch': 'Extensia numelui nu corespunde conținutului.',
  damaged: 'Fișierul este deteriorat și nu poate fi citit.',
  'too-many-pixels': 'Imaginea are prea mulți pixeli.',
  'zip-suspicious': 'Arhiva are un conținut periculos sau neobișnuit.',
  'zip-encrypted': 'Arhiva este protejată cu parolă și nu poate fi controlată.',
  unreadable: 'Controlul fișierului nu s-a putut termina.',
} as const
export type FileRejection = keyof typeof FILE_REJECTIONS
