import { capitaliseName, foldText } from '../../../../../shared/romania/names.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const TITLES = words(
  'dr doctor prof profesor univ conf sef lucr lucrari asist as med medic medicul primar specialist acad',
)
const HONORIFICS = words('dl dna dra domnul doamna domnisoara mr mrs ms d-l d-na d-ra')
/** Words after a name, which are no part of it. */
const STOPS =
  words(`cnp cod data nascut nascuta nasc sex sexul varsta ani luni zile medic medicul dr doctor prof adresa domiciliu
  domiciliul domiciliat domiciliata tel telefon mobil email sectia sectie clinica spital unitate nr numar fo foaie fisa bilet
  ci bi seria act pasaport cetatenia judet judetul jud loc localitatea oras prenume prenumele nume numele id pid dn recoltat
  recoltata prelevat diagnostic asigurare cas trimis proba buletin cerere fosta fost internat internata in cu din pentru declar
  avand legitimat legitimata posesor posesoare prezentat prezentata examinare investigatie si fiul fiica rezultat sc patient
  birth date page pagina`)
/** Words that begin a value which is no name. */
const NOT_NAMES =
  words(`stare starea analiza analize analizele rezultat rezultate rezultatul rezultatele ambulator ambulatoriu
  necunoscut necunoscuta neidentificat anonim anonima urgenta programat programata asigurat neasigurat adult copil laborator
  investigatie investigatii examen examene examinare valoare valori unitate unitati interval material proba probe serviciu
  servicii total medical medicala medicale sange urina metoda denumire test teste cabinet clinica spital spitalul policlinica
  centru centrul institut institutul sectia pagina feminin masculin`)
const PARTICLES = words('al bin da de del den der di du el la le van von')

const WORD = /[\p{L}\p{M}]+(?:['’`-][\p{L}\p{M}]+)*/uy
const LEAD = /[ .:_*"„”–-]{0,20}/y
const ASIDE = / {0,2}\([^()\d]{1,40}\)/y
const MAX_WORDS = 6
const MAX_LENGTH = 100

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

const startsCapital = (word: string): boolean => /^\p{Lu}/u.test(word)
const isAllCapitals = (word: string): boolean => word.length > 1 && word === word.toLocaleUpperCase('ro')

/**
 * Returns the words of the name at this position, without initials; null if the text there is none.
 * `isStrict`: null also if other words than those that usually follow a name come after it.
 */
function readNameWords(text: string, from: number, isStrict: boolean): string[] | null {
  const name: string[] = []
  let particles: string[] = []
  let at = from
  for (;;) {
    const word = matchAt(WORD, text, at)
    if (word === null) break
    const folded = foldText(word)
    const end = at + word.length
    const isAbbreviated = text[end] === '.'
    if (STOPS.has(folded) && !(startsCapital(word) && name.length === 0 && folded === 'ani')) break
    if (!startsCapital(word)) {
      if (PARTICLES.has(folded) && name.length > 0) particles.push(word)
      else if (isStrict) return null
      else break
    } else if (NOT_NAMES.has(folded)) {
      return null
    } else if (
      word.length > 1 &&
      !(isAbbreviated && word.length <= 3 && / ?\p{Lu}/uy.test(text.slice(end + 1, end + 3)))
    ) {
      name.push(...particles, word)
      particles = []
    }
    if (name.length > MAX_WORDS) return null
    const next = skipBetween(text, end, name.length, word.length)
    if (next === null) break
    at = next
  }
  return name.length === 0 || name.join(' ').length > MAX_LENGTH ? null : name
}

/** Returns where the next word of a name may begin; null if the name ends here. */
function skipBetween(text: string, end: number, words: number, length: number): number | null {
  const aside = matchAt(ASIDE, text, end)
  let at = end + (aside?.length ?? 0)
  // An initial, or a surname that a comma separates.
  if (text[at] === '.' && length <= 3) at += 1
  else if (text[at] === ',' && words === 1) at += 1
  while (text[at] === ' ') at += 1
  return at > end && at < text.length ? at : null
}

/** Returns the name with the part in capitals first, where the other part is not in capitals: `Mihai MUREȘAN`. */
function orderParts(name: readonly string[], isGivenFirst: boolean): string[] {
  const first = name.findIndex(isAllCapitals)
  const isMixed = first >= 0 && name.some((word) => !isAllCapitals(word) && startsCapital(word))
  if (isMixed) {
    const isSurname = (word: string) => isAllCapitals(word)
    return [...name.filter(isSurname), ...name.filter((word) => !isSurname(word))]
  }
  return isGivenFirst ? [name.at(-1)!, ...name.slice(0, -1)] : [...name]
}

/**
 * Returns the patient's name at this position, capitalised, with the surname first as far as the text says
 * which part it is; null if there is none, or if it is a doctor's. Initials are left out.
 */
export function readPersonName(
  text: string,
  { least, isGivenFirst = false }: { least: number; isGivenFirst?: boolean },
): string | null {
  let at = matchAt(LEAD, text, 0)?.length ?? 0
  const first = matchAt(/[\p{L}]+(?:-[\p{L}]+)?/uy, text, at)
  if (first === null) return null
  if (HONORIFICS.has(foldText(first)))
    at += first.length + (matchAt(/[. ]{0,3}/y, text, at + first.length)?.length ?? 0)
  else if (TITLES.has(foldText(first))) return null
  const name = readNameWords(text, at, true)
  if (name === null || name.length < least) return null
  return capitaliseName(orderParts(name, isGivenFirst).join(' '))
}

/** Returns a doctor's name without titles; null if there is none. A single word needs a title. */
export function readDoctorName(text: string): string | null {
  let at = matchAt(LEAD, text, 0)?.length ?? 0
  let hasTitle = false
  for (;;) {
    const word = matchAt(/\p{L}+/uy, text, at)
    if (word === null || !TITLES.has(foldText(word))) break
    hasTitle = true
    at += word.length + (matchAt(/[. ]{0,3}/y, text, at + word.length)?.length ?? 0)
  }
  const name = readNameWords(text, at, false)
  return name === null || name.length < (hasTitle ? 1 : 2)
    ? null
    : capitaliseName(orderParts(name, false).join(' '))
}
