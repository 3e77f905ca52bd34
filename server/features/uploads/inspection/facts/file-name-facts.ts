import { findCnps } from '../../../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../../../shared/romania/day.ts'
import { foldText } from '../../../../../shared/romania/names.ts'
import { readDate } from '../../../../../shared/romania/read-date.ts'
import type { FactPlace, FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { prepareText } from './cells.ts'
import { keepDistinct } from './distinct-facts.ts'
import { findFacts } from './find-facts.ts'
import { readPersonName } from './person-names.ts'

/** A date without a label is of a birth if it is older, of an examination if it is newer. */
const LEAST_AGE_YEARS = 10
const NEW_YEARS = 2
const MAX_NAME_WORDS = 4
const MAX_LENGTH = 300

/** Words of file names that are no names of people; what begins so is of the document. */
const TOPICS =
  /^(?:analiz|buletin|rezultat|ecogra|radiogra|mamogra|tomogra|computer|rezonanta|imagist|scrisoare|bilet|trimitere|reteta|consult|examen|examinar|hemo|biochim|imuno|microbio|urocult|histo|cito|endosc|colonosc|gastrosc|spirom|electro|angio|ct|rmn|irm|rx|mri|ekg|ecg|eco|pet|scan|img|doc|foto|poza|pagina|torace|abdom|pelvi|craniu|coloan|cerebr|cardi|dental|genunch|umar|sold|raport|adeverin|externare|internare|laborator|medical|fisa|document|pacient|copie|final)/

/**
 * Returns what the name of a file says: CNPs, labelled facts, and, as doubtful ones, dates without a label and
 * a name that is alone between separators.
 */
export function findFactsInName(name: string, entry?: string): FileFact[] {
  const place: FactPlace = entry === undefined ? { in: 'file-name' } : { in: 'file-name', entry }
  const base = prepareText(name.slice(-MAX_LENGTH))
    .replace(/\t/g, ' ')
    .replace(/^.*[/\\]/, '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
  const text = base.replaceAll('_', ' ')
  const labelled = findFacts([{ text, place }]).filter(({ kind }) => kind !== 'institution')
  const doubtful = [...findDates(text, place), ...findName(base, place)].filter(
    ({ kind }) => !labelled.some((fact) => fact.kind === kind),
  )
  return keepDistinct([...labelled, ...doubtful])
}

function findDates(text: string, place: FactPlace): FileFact[] {
  const today = todayInRomania()
  const yearsAgo = (years: number) => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`
  return [...text.matchAll(/\d+/g)].flatMap(({ index }): FileFact[] => {
    // Not the middle of a date that was read from its beginning.
    const value = /\d[./-]$/.test(text.slice(0, index)) ? undefined : readDate(text, index)?.date
    if (value === undefined || value > today) return []
    if (value < yearsAgo(LEAST_AGE_YEARS)) return [{ kind: 'birth-date', value, place, isDoubtful: true }]
    return value > yearsAgo(NEW_YEARS) ? [{ kind: 'examined-on', value, place, isDoubtful: true }] : []
  })
}

/** Returns the name in a part of the file name that has nothing else but dates and numbers, where there is one such part. */
function findName(base: string, place: FactPlace): FileFact[] {
  const isClear = findCnps(base).length > 0 || /\d{4}/.test(base)
  const names = base.split(/ [-–] |_-_|[,;()]/).flatMap((part) => {
    const text = part
      .replace(/[\d._]+/g, ' ')
      .replace(/ +/g, ' ')
      .trim()
    const words = text.split(' ')
    if (
      words.length < 2 ||
      words.length > MAX_NAME_WORDS ||
      words.some((word) => TOPICS.test(foldText(word)))
    )
      return []
    return readPersonName(text, { least: words.length }) ?? []
  })
  return isClear && names.length === 1 ? [{ kind: 'name', value: names[0]!, place, isDoubtful: true }] : []
}
