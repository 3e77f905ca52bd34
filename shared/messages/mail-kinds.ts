/** The kinds of mail, with the names by which people know them. */
export const MAIL_KIND_NAMES = {
  invitation: 'Invitație',
  reset: 'Parolă nouă',
  'password-changed': 'Parolă schimbată',
  'recovery-codes': 'Coduri de recuperare noi',
  'passkey-added': 'Cheie de acces nouă',
  'passkey-removed': 'Cheie de acces eliminată',
  'address-changed': 'Adresă schimbată',
  'sign-in-blocked': 'Autentificare oprită',
  'deletion-request': 'Cerere de ștergere',
  'incident-opened': 'Incident',
  results: 'Rezultate noi, nedeschise sau retrase',
  'mail-failed': 'Mesaj care nu a ajuns',
  problems: 'Probleme ale produsului',
  share: 'Link cu rezultate',
  'share-code': 'Codul unui link',
  'share-ended': 'Link închis după dovezi greșite',
  'share-recalled': 'Rezultat de la un link, retras sau înlocuit',
  test: 'Mesaj de probă',
} as const

export type MailKind = keyof typeof MAIL_KIND_NAMES

/** Kinds without a one-time link, which still say the right thing when they are sent again later. */
const REPEATABLE: readonly string[] = [
  'deletion-request',
  'incident-opened',
  'share-recalled',
] satisfies MailKind[]

/** Whether a failed mail of this kind is kept, so that the same text can be sent again. */
export const isRepeatable = (kind: string): boolean => REPEATABLE.includes(kind)
