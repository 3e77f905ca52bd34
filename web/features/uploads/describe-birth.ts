import { formatDate } from '../../../shared/romania/romanian.ts'

const BORN: Record<string, string> = { female: 'născută', male: 'născut' }

/** „născută 18.10.1945”; where the sex is not known „data nașterii 18.10.1945”. */
export const describeBirth = (sex: string | null, birthDate: string): string =>
  `${BORN[sex ?? ''] ?? 'data nașterii'} ${formatDate(birthDate)}`
