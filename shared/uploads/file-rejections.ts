/**
 * Why a received file is rejected, with the sentence for the uploader. The code is stored in `facts.reason`.
 */
export const FILE_REJECTIONS = {
  'type-not-allowed':
    'Tipul fișierului nu este acceptat: doar PDF, JPEG, PNG, DICOM, ZIP, DOCX, XLSX, TXT și CSV.',
  'extension-mismatch': 'Extensia numelui nu corespunde conținutului.',
  damaged: 'Fișierul este deteriorat și nu poate fi citit.',
  'too-many-pixels': 'Imaginea are prea mulți pixeli.',
  'trailing-data':
    'După sfârșitul documentului sau al imaginii urmează alte date. Salvează fișierul din nou din programul în care a fost făcut.',
  executable: 'Conține un program, un script sau o pagină web, care nu se primesc.',
  'active-content': 'Are conținut activ, care nu se primește.',
  infected: 'Antivirusul a găsit un program dăunător.',
  'zip-nested': 'Arhiva conține altă arhivă. Despachetează arhiva din interior și încarcă din nou.',
  'zip-unsupported':
    'Arhiva folosește o metodă de comprimare care nu poate fi controlată. Fă din nou arhiva, în formatul ZIP obișnuit.',
  'zip-suspicious': 'Arhiva are un conținut periculos, prea multe fișiere sau alt conținut neobișnuit.',
  'zip-encrypted': 'Arhiva este protejată cu parolă și nu poate fi controlată.',
  unreadable: 'Controlul fișierului nu s-a putut termina.',
} as const
export type FileRejection = keyof typeof FILE_REJECTIONS
