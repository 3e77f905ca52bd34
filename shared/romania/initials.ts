/** Returns the first letters of the first two words: `Ștefănescu-Țurcanu Ioana Maria` → `ȘI`. */
export function readInitials(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase('ro') ?? '')
    .join('')
}
