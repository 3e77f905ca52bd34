import { queryWords } from '../../../shared/romania/names.ts'

/** Names that machines give and that say nothing of what is inside. */
const EMPTY_WORDS = new Set(
  'img image dsc scan scanare document doc fisier file raport report rezultat rezultate buletin final copie copy nou new pdf whatsapp screenshot im cnp pacient'.split(
    ' ',
  ),
)
const MAX_TITLE_LENGTH = 80

/**
 * A title for an upload, for the person to change: the category, or what the name of a file says once the patient's names,
 * numbers and dates are taken out, where that says the category and more, or there is none. null: neither says anything.
 */
export function proposeTitle({
  fileNames,
  patientName,
  categoryName,
}: {
  fileNames: readonly string[]
  patientName: string
  categoryName: string | null
}): string | null {
  const names = new Set(queryWords(patientName))
  const titles = fileNames.flatMap((fileName) => titleOf(fileName, names) ?? [])
  if (!categoryName) return titles[0] ?? null
  const category = queryWords(categoryName)
  const closer = titles.find((title) => startsWith(queryWords(title), category))
  return closer ? categoryName + closer.slice(categoryName.length) : categoryName
}

const startsWith = (words: readonly string[], beginning: readonly string[]): boolean =>
  words.length > beginning.length && beginning.every((word, place) => words[place] === word)

function titleOf(fileName: string, names: ReadonlySet<string>): string | null {
  const words = fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .split(/[\s_.,;()[\]+-]+/)
    .filter((word) => {
      const folded = queryWords(word)
      // Whatever has a run of digits is a date, a CNP, a counter of a camera.
      return folded.length > 0 && !/\d{3}|^\d+$/.test(word) && !folded.every((part) => names.has(part))
    })
  if (words.every((word) => queryWords(word).every((part) => EMPTY_WORDS.has(part)))) return null
  const title = words.join(' ').slice(0, MAX_TITLE_LENGTH).trim()
  return title.length < 3 ? null : title.charAt(0).toLocaleUpperCase('ro') + title.slice(1)
}
