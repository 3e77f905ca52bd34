import { queryWords } from '../romania/names.ts'

/** Words for one kind of examination or one part of the body, folded. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['rx', 'radiografie', 'radiografia', 'raze'],
  ['eco', 'echo', 'ecografie', 'ecografia', 'echografie', 'ultrasonografie'],
  ['ct', 'tomografie', 'tomografia', 'tomodensitometrie'],
  ['rm', 'rmn', 'irm', 'mri', 'rezonanta'],
  ['mamografie', 'mamografia', 'mammografie'],
  ['dexa', 'dxa', 'osteodensitometrie', 'densitometrie'],
  ['ekg', 'ecg', 'electrocardiograma', 'electrocardiografie'],
  ['scintigrafie', 'scintigrafia'],
  ['hlg', 'hemoleucograma', 'hemograma'],
  ['torace', 'toracic', 'toracica', 'toracelui'],
  ['abdomen', 'abdominal', 'abdominala', 'abdomenului'],
  ['tiroida', 'tiroidian', 'tiroidiana', 'tiroidei'],
]
/** A shorter beginning of a synonym is the beginning of names too. */
const MIN_BEGINNING = 5

/** Returns the words that mean the same kind of examination as a folded word, with it first; null if it means none. */
export function examinationWords(word: string): string[] | null {
  const group = SYNONYMS.find((words) =>
    words.some((each) => each === word || (word.length >= MIN_BEGINNING && each.startsWith(word))),
  )
  return group ? [...new Set([word, ...group])] : null
}

/** Whether a text, such as the name of a category, has a word that is one of these or begins with a long one. */
export function namesExamination(text: string, wanted: readonly string[]): boolean {
  return queryWords(text).some((word) =>
    wanted.some((each) => word === each || (each.length >= MIN_BEGINNING && word.startsWith(each))),
  )
}
