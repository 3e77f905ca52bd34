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
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const listed = (values: readonly unknown[]) =>
  new Intl.ListFormat('ro', { type: 'disjunction' }).format(values.map((value) => `„${value}”`))

/** A bound of a rule on numbers, with a decimal comma; not grouped, since it may be a year. */
const figure = (value: unknown) =>
  Number(value).toLocaleString('ro-RO', { useGrouping: false, maximumFractionDigits: 20 })

/** A bound of a date rule: yyyy-MM-dd as people read it. */
const day = (value: unknown) => formatDate(String(value))

/** A format of the rule `date_format` in the letters that people here know: zz.ll.aaaa. */
const format = (value: unknown) => String(value).replace(/D/g, 'z').replace(/M/g, 'l').replace(/Y/g, 'a')

const nameAt = (node: FormKitNode, address: unknown) => {
  const other = node.at(String(address))
  return other ? createMessageName(other) : String(address)
}
const text = (node: FormKitNode) => String(node.value ?? '')
const ruleMessage = (parsed: { ok: true } | { ok: false; message: string }) =>
  parsed.ok ? '' : parsed.message

type LengthRejection = { node: FormKitNode; name: string; args: unknown[] }

/** How much a text or a list may hold: „între 2 și 20 de caractere”. Reads its arguments as the rule does. */
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
 * What the library's Romanian lacks, or says with mistakes of spelling, in the browser's date format, or without „de” after
 * a count. Everything that the specification gives word for word is the library's own.
 */
const validation: Record<string, (refusal: LengthRejection) => string> = {
  alpha: ({ name }) => `${capital(name)} poate conține doar litere.`,
  alphanumeric: ({ name }) => `${capital(name)} poate conține doar litere și cifre.`,
  between: ({ name, args: [from, to] }) => {
    const bounds = [Number(from), Number(to)].sort((a, b) => a - b)
    if (bounds.some(Number.isNaN)) return WRONG_RULE
    return `${capital(name)} trebuie să fie între ${bounds.map(figure).join(' și ')}.`
  },
  contains_alpha: ({ name }) => `${capital(name)} trebuie să conțină litere.`,
  contains_alphanumeric: ({ name }) => `${capital(name)} trebuie să conțină litere sau cifre.`,
  contains_numeric: ({ name }) => `${capital(name)} trebuie să conțină cifre.`,
  contains_symbol: ({ name }) => `${capital(name)} trebuie să conțină un simbol.`,
  symbol: ({ name }) => `${capital(name)} poate conține doar simboluri.`,
  date_after: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `după ${day(args[0])}` : 'în viitor'}.`,
  date_after_or_equal: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `cel mai devreme ${day(args[0])}` : 'în viitor'}.`,
  date_after_node: ({ name, node, args }) => `${capital(name)} trebuie să fie după ${nameAt(node, args[0])}.`,
  date_before: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `înainte de ${day(args[0])}` : 'în trecut'}.`,
  date_before_or_equal: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `cel mai târziu ${day(args[0])}` : 'în trecut'}.`,
  date_before_node: ({ name, node, args }) =>
    `${capital(name)} trebuie să fie înainte de ${nameAt(node, args[0])}.`,
  // With one bound alone the rule's other one is now.
  date_between: ({ name, args: [first, second] }) =>
    `${capital(name)} trebuie să fie între ${second ? day(first) : 'azi'} și ${day(second ?? first)}.`,
  date_format: ({ name, args }) =>
    `${capital(name)} nu este o dată validă${args[0] ? `; folosește formatul ${format(args[0])}` : ''}.`,
  ends_with: ({ name, args }) => `${capital(name)} trebuie să se termine cu ${listed(args)}.`,
  starts_with: ({ name, args }) => `${capital(name)} trebuie să înceapă cu ${listed(args)}.`,
  length: ({ name, node, args }) => `${capital(name)} trebuie să aibă ${explainLength(node.value, args)}.`,
  max: ({ name, node, args: [bound = 10] }) =>
    Array.isArray(node.value)
      ? `${capital(name)}: cel mult ${figure(bound)}.`
      : `${capital(name)} trebuie să fie cel mult ${figure(bound)}.`,
  min: ({ name, node, args: [bound = 1] }) =>
    Array.isArray(node.value)
      ? `${capital(name)}: cel puțin ${figure(bound)}.`
      : `${capital(name)} trebuie să fie cel puțin ${figure(bound)}.`,
  not: ({ name, node }) => `„${text(node)}” nu este o valoare acceptată pentru ${name}.`,
  cnp: ({ node }) => ruleMessage(parseCnp(text(node))),
  cui: ({ node }) => ruleMessage(parseCui(text(node))),
  phone: ({ node }) => ruleMessage(parsePhone(text(node))),
  new_password: ({ node, args }) => {
    const min = Number(args[0])
    return describePasswordError(findPasswordError(String(node.value), min) ?? '', min)
  },
}

/** Of the library's own inputs; misspelt there, or not said as the product says it. */
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

/** The forms' Romanian [1.6] [5.4] [5.5]. */
export const romanian = { ui: { ...ro.ui, ...ui }, validation: { ...ro.validation, ...validation } }
