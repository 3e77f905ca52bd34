import { formatDate } from '../../../shared/romania/romanian.ts'

const BORN: Record<string, string> = { female: 'născută', male: 'născut' }

/** Returns „născută 18.10.1945”; „data nașterii 18.10.1945” if the sex is unknown. */
export const describeBirth = (sex: string | null, birthDate: string): string =>
  `${BORN[sex ?? ''] ?? 'data nașterii'} ${formatDate(birthDate)}`
