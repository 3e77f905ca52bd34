/** How many characters before the ending stay readable: the part by which the names of one result usually differ. */
const KEPT_CHARACTERS = 8

/** Returns a file name in two parts: the first may be cut, the second has the end of the name with its ending. */
export function cutFileName(name: string): [start: string, end: string] {
  const characters = [...name]
  const dot = characters.lastIndexOf('.')
  const hasEnding = dot > 0 && characters.length - dot <= 6
  const place = Math.max(0, (hasEnding ? dot : characters.length) - KEPT_CHARACTERS)
  return [characters.slice(0, place).join(''), characters.slice(place).join('')]
}
