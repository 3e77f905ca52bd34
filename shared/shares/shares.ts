import type { ShareProof } from '../site/setting-bounds.ts'

/** To whom results are shared. */
export const SHARE_RECIPIENTS = ['patient', 'designated', 'doctor', 'institution'] as const
export type ShareRecipientKind = (typeof SHARE_RECIPIENTS)[number]
export const SHARE_RECIPIENT_NAMES: Readonly<Record<ShareRecipientKind, string>> = {
  patient: 'pacient',
  designated: 'persoană desemnată',
  doctor: 'medic',
  institution: 'instituție',
}

/** How the link reaches its recipient. */
export const SHARE_CHANNELS = ['mail', 'link', 'slip'] as const
export type ShareChannel = (typeof SHARE_CHANNELS)[number]
export const SHARE_CHANNEL_NAMES: Readonly<Record<ShareChannel, string>> = {
  mail: 'prin e-mail',
  link: 'link copiat',
  slip: 'bilet tipărit',
}

export const SHARE_PROOF_NAMES: Readonly<Record<ShareProof, string>> = {
  birth_date: 'data nașterii',
  pin: 'PIN',
  email: 'cod prin e-mail',
}

/** Why a share has ended: a person ended it, ten proofs were wrong, it has no released upload left, its time is over. */
export const SHARE_ENDS = ['person', 'proofs', 'uploads', 'expired'] as const
export type ShareEnd = (typeof SHARE_ENDS)[number]
export const SHARE_END_NAMES: Readonly<Record<ShareEnd, string>> = {
  person: 'închis de o persoană',
  proofs: 'zece dovezi greșite',
  uploads: 'niciun rezultat nu mai este eliberat',
  expired: 'a expirat',
}

/** What is recorded of a share. */
export const SHARE_EVENTS = [
  'wrong_proof',
  'code_sent',
  'opened',
  'previewed',
  'downloaded',
  'downloaded_all',
  'left',
] as const
export type ShareEventKind = (typeof SHARE_EVENTS)[number]

/** The path of the pages that open a share; its token follows. */
export const SHARES_PATH = '/s'

/** Letters and digits that are not taken for each other: without 0 O 1 I L U. */
export const SHARE_CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const SHARE_CODE_LENGTH = 10

/**
 * Reads the short code of a slip as a person types it, in any case and with spaces and hyphens; null for a text
 * that is no code.
 */
export function parseShareCode(text: string): string | null {
  const code = text.replace(/[\s‐‑‒–—-]/g, '').toUpperCase()
  return code.length === SHARE_CODE_LENGTH &&
    [...code].every((letter) => SHARE_CODE_ALPHABET.includes(letter))
    ? code
    : null
}

export const NO_RESULT_CHOSEN = 'Alege cel puțin un rezultat.'
