import { LIMITS } from '../limits.ts'
import { queryWords } from '../romania/names.ts'

/** Words of file names that say nothing about the content. */
const EMPTY_WORDS = new Set(
  'img image dsc scan scanare document doc fisier file raport report rezultat rezultate buletin final copie copy nou new pdf whatsapp screenshot im cnp pacient'.split(
    ' ',
  ),
)
const MAX_TITLE_LENGTH = 80

/**
 * Returns a title for an upload, which the user can change: the first file name without the patient's name,
 * numbers and dates that begins with the category, else the category, else the first such file name. null:
 * there is none.
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
  const moreExact = titles.find((title) => startsWith(queryWords(title), category))
  return moreExact ? categoryName + moreExact.slice(categoryName.length) : categoryName
}

/** Returns the title of a draft before anybody names it: what its file names propose, or the first of them as it is. */
export const titleOfFiles = (fileNames: readonly string[], patientName: string): string =>
  proposeTitle({ fileNames, patientName, categoryName: null }) ?? withoutEnding(fileNames[0] ?? '')

/** The name of a file without its ending; a name that has nothing else stays. */
const withoutEnding = (fileName: string) =>
  (fileName.replace(/(?<=.)\.[^.]*$/, '').trim() || 'Rezultat').slice(0, LIMITS.shortText)

const startsWith = (words: readonly string[], beginning: readonly string[]): boolean =>
  words.length > beginning.length && beginning.every((word, place) => words[place] === word)

function titleOf(fileName: string, names: ReadonlySet<string>): string | null {
  const words = fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .split(/[\s_.,;()[\]+-]+/)
    .filter((word) => {
      const folded = queryWords(word)
      // Three digits in a row are part of a date, a CNP or a camera's counter.
      return folded.length > 0 && !/\d{3}|^\d+$/.test(word) && !folded.every((part) => names.has(part))
    })
  if (words.every((word) => queryWords(word).every((part) => EMPTY_WORDS.has(part)))) return null
  const title = words.join(' ').slice(0, MAX_TITLE_LENGTH).trim()
  return title.length < 3 ? null : title.charAt(0).toLocaleUpperCase('ro') + title.slice(1)
}
