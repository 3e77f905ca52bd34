import type { FormKitNode } from '@formkit/core'
import { ro } from '@formkit/i18n'
import { createMessageName } from '@formkit/validation'
import { describePasswordError } from '../../../shared/password-messages.ts'
import { findPasswordError } from '../../../shared/password-rules.ts'
import { parseCnp } from '../../../shared/romania/cnp.ts'
import { parseCui } from '../../../shared/romania/cui.ts'
import { parsePhone } from '../../../shared/romania/phone.ts'
import { counted, formatDate } from '../../../shared/romania/romanian.ts'

const WRONG_RULE = 'Câmpul este configurat greșit și nu poate fi trimis.'
const capitalise = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const listed = (values: readonly unknown[]) =>
  new Intl.ListFormat('ro', { type: 'disjunction' }).format(values.map((value) => `„${value}”`))

/**
 * Formats a bound of a number rule with a decimal comma and without grouping, because the number may be a
 * year.
 */
const formatNumber = (value: unknown) =>
  Number(value).toLocaleString('ro-RO', { useGrouping: false, maximumFractionDigits: 20 })

/** Formats a bound of a date rule (yyyy-MM-dd) for people. */
const formatDay = (value: unknown) => formatDate(String(value))

/** Formats the argument of the rule `date_format` in Romanian letters: zz.ll.aaaa. */
const describeFormat = (value: unknown) =>
  String(value).replace(/D/g, 'z').replace(/M/g, 'l').replace(/Y/g, 'a')

/** Returns the label of the other field that a rule refers to. */
const labelAt = (node: FormKitNode, address: unknown) => {
  const other = node.at(String(address))
  return other ? createMessageName(other) : String(address)
}
const text = (node: FormKitNode) => String(node.value ?? '')
const ruleMessage = (parsed: { ok: true } | { ok: false; message: string }) =>
  parsed.ok ? '' : parsed.message

type MessageContext = { node: FormKitNode; name: string; args: unknown[] }

/**
 * Describes the allowed length of a text or a list: „între 2 și 20 de caractere”. Interprets the arguments as
 * the rule does.
 */
function explainLength(value: unknown, args: unknown[]): string {
  const count = (amount: number) =>
    Array.isArray(value) ? counted(amount, 'element', 'elemente') : counted(amount, 'caracter', 'caractere')
  const [first = 0, second = Number.NaN] = args.map((arg) => Number.parseInt(String(arg), 10))
  const other = Number.isNaN(second) ? Number.POSITIVE_INFINITY : second
  const [min, max] = first < other ? [first, other] : [other, first]
  if (max === Number.POSITIVE_INFINITY) return `cel puțin ${count(min)}`
  if (min === max) return count(max)
  return min === 0 ? `cel mult ${count(max)}` : `între ${min} și ${count(max)}`
}

/**
 * Sentences that are missing in the library's Romanian, or misspelt there, or use the browser's date format
 * or a count without „de”. The sentences that the specification quotes are the library's own.
 */
const validation: Record<string, (context: MessageContext) => string> = {
  alpha: ({ name }) => `${capitalise(name)} poate conține doar litere.`,
  alphanumeric: ({ name }) => `${capitalise(name)} poate conține doar litere și cifre.`,
  between: ({ name, args: [from, to] }) => {
    const bounds = [Number(from), Number(to)].sort((a, b) => a - b)
    if (bounds.some(Number.isNaN)) return WRONG_RULE
    return `${capitalise(name)} trebuie să fie între ${bounds.map(formatNumber).join(' și ')}.`
  },
  contains_alpha: ({ name }) => `${capitalise(name)} trebuie să conțină litere.`,
  contains_alphanumeric: ({ name }) => `${capitalise(name)} trebuie să conțină litere sau cifre.`,
  contains_numeric: ({ name }) => `${capitalise(name)} trebuie să conțină cifre.`,
  contains_symbol: ({ name }) => `${capitalise(name)} trebuie să conțină un simbol.`,
  symbol: ({ name }) => `${capitalise(name)} poate conține doar simboluri.`,
  date_after: ({ name, args }) =>
    `${capitalise(name)} trebuie să fie ${args[0] ? `după ${formatDay(args[0])}` : 'în viitor'}.`,
  date_after_or_equal: ({ name, args }) =>
    `${capitalise(name)} trebuie să fie ${args[0] ? `cel mai devreme ${formatDay(args[0])}` : 'în viitor'}.`,
  date_after_node: ({ name, node, args }) =>
    `${capitalise(name)} trebuie să fie după ${labelAt(node, args[0])}.`,
  date_before: ({ name, args }) =>
    `${capitalise(name)} trebuie să fie ${args[0] ? `înainte de ${formatDay(args[0])}` : 'în trecut'}.`,
  date_before_or_equal: ({ name, args }) =>
    `${capitalise(name)} trebuie să fie ${args[0] ? `cel mai târziu ${formatDay(args[0])}` : 'în trecut'}.`,
  date_before_node: ({ name, node, args }) =>
    `${capitalise(name)} trebuie să fie înainte de ${labelAt(node, args[0])}.`,
  // With a single argument, the rule's other bound is now.
  date_between: ({ name, args: [first, second] }) =>
    `${capitalise(name)} trebuie să fie între ${second ? formatDay(first) : 'azi'} și ${formatDay(second ?? first)}.`,
  date_format: ({ name, args }) =>
    `${capitalise(name)} nu este o dată validă${args[0] ? `; folosește formatul ${describeFormat(args[0])}` : ''}.`,
  ends_with: ({ name, args }) => `${capitalise(name)} trebuie să se termine cu ${listed(args)}.`,
  starts_with: ({ name, args }) => `${capitalise(name)} trebuie să înceapă cu ${listed(args)}.`,
  length: ({ name, node, args }) => `${capitalise(name)} trebuie să aibă ${explainLength(node.value, args)}.`,
  max: ({ name, node, args: [bound = 10] }) =>
    Array.isArray(node.value)
      ? `${capitalise(name)}: cel mult ${formatNumber(bound)}.`
      : `${capitalise(name)} trebuie să fie cel mult ${formatNumber(bound)}.`,
  min: ({ name, node, args: [bound = 1] }) =>
    Array.isArray(node.value)
      ? `${capitalise(name)}: cel puțin ${formatNumber(bound)}.`
      : `${capitalise(name)} trebuie să fie cel puțin ${formatNumber(bound)}.`,
  not: ({ name, node }) => `„${text(node)}” nu este o valoare acceptată pentru ${name}.`,
  cnp: ({ node }) => ruleMessage(parseCnp(text(node))),
  cui: ({ node }) => ruleMessage(parseCui(text(node))),
  phone: ({ node }) => ruleMessage(parsePhone(text(node))),
  new_password: ({ node, args }) => {
    const min = Number(args[0])
    return describePasswordError(findPasswordError(String(node.value), min) ?? '', min)
  },
}

/** Labels of the library's own inputs that are misspelt there or differ from the product's wording. */
const ui = {
  add: 'Adaugă',
  noFiles: 'Nu este ales niciun fișier',
  moveUp: 'Mută mai sus',
  moveDown: 'Mută mai jos',
  isLoading: 'Se încarcă…',
  loadMore: 'Încarcă mai multe',
  next: 'Înainte',
  prev: 'Înapoi',
  addAllValues: 'Adaugă toate valorile',
  addSelectedValues: 'Adaugă valorile alese',
  removeAllValues: 'Elimină toate valorile',
  removeSelectedValues: 'Elimină valorile alese',
  changeDate: 'Schimbă data',
  summaryHeader: 'Formularul are greșeli.',
  open: 'Deschide',
}

/** The Romanian messages of the forms [1.6] [5.4] [5.5]. */
export const romanian = { ui: { ...ro.ui, ...ui }, validation: { ...ro.validation, ...validation } }
