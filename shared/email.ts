const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const TOP_LABEL = '(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])'

/** `addr-spec` of RFC 5321 without its exotic half: no quoted local part, no comment, no address literal, no trailing dot. */
const ADDR_SPEC = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${TOP_LABEL}$`, 'i')

/**
 * The one e-mail address in the text, in lower case, or null. At most 254 characters, all ASCII: whatever Unicode
 * normalisation (NFKC) could turn into another address, as the full-width ＠, is refused instead of read a second way.
 */
export function parseEmail(text: string): string | null {
  const address = text.trim()
  // ASCII before the case is folded: the Kelvin sign lower-cases to an ordinary k.
  if (address.length > 254 || !/^[!-~]+$/.test(address) || !ADDR_SPEC.test(address)) return null
  return address.toLowerCase()
}
