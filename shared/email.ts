const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const TOP_LABEL = '(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])'

/** `addr-spec` of RFC 5321, without quoted local parts, comments, address literals and a trailing dot. */
const ADDR_SPEC = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${TOP_LABEL}$`, 'i')

/** Required to the letter [5.5]. */
export const INVALID_EMAIL_MESSAGE = 'Te rog folosește o adresă de email validă.'

/**
 * Returns the one e-mail address in the text, in lower case; null if it is not valid. At most 254 characters,
 * all ASCII: rejects everything that Unicode normalisation (NFKC) could turn into another address, such as
 * the full-width ＠.
 */
export function parseEmail(text: string): string | null {
  const address = text.trim()
  // ASCII is checked before lower-casing, which turns the Kelvin sign into an ordinary k.
  if (address.length > 254 || !/^[!-~]+$/.test(address) || !ADDR_SPEC.test(address)) return null
  return address.toLowerCase()
}

/**
 * Masks `ana@exemplu.ro` as `a•••@exemplu.ro`: the owner recognises the address, a person who found the link
 * does not.
 */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/su, '$1•••')
