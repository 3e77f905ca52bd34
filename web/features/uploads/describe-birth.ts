import type { Sex } from '../../../shared/romania/cnp.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'

const BORN: Record<Sex, string> = { female: 'născută', male: 'născut' }

/** Returns „născută 18.10.1945”; „data nașterii 18.10.1945” if the sex is unknown. */
export const describeBirth = (sex: Sex | null, birthDate: string): string =>
  `${sex ? BORN[sex] : 'data nașterii'} ${formatDate(birthDate)}`
