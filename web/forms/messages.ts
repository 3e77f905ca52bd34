import type { FormKitNode } from '@formkit/core'
import { ro } from '@formkit/i18n'
import { parseCnp } from '../../shared/cnp.ts'
import { parseCui } from '../../shared/cui.ts'
import { parsePhone } from '../../shared/phone.ts'
import { counted, formatDate } from '../../shared/romanian.ts'

const WRONG_RULE = 'Câmpul este configurat greșit și nu poate fi trimis.'
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const characters = (count: number) => counted(count, 'caracter', 'caractere')
const listed = (values: readonly unknown[]) =>
  new Intl.ListFormat('ro', { type: 'disjunction' }).format(values.map((value) => `„${value}”`))

/** A bound of a date rule: yyyy-MM-dd as people read it. */
const day = (value: unknown) => formatDate(String(value))
const text = (node: FormKitNode) => String(node.value ?? '')
const fault = (parsed: { ok: true } | { ok: false; message: string }) => (parsed.ok ? '' : parsed.message)

type Refusal = { node: FormKitNode; name: string; args: unknown[] }

/**
 * What the library's Romanian says with mistakes of spelling, in the browser's date format, or without „de” after a count.
 * Everything that the specification gives word for word is the library's own.
 */
const validation: Record<string, (refusal: Refusal) => string> = {
  alpha: ({ name }) => `${capital(name)} poate conține doar litere.`,
  alphanumeric: ({ name }) => `${capital(name)} poate conține doar litere și cifre.`,
  contains_alpha: ({ name }) => `${capital(name)} trebuie să conțină litere.`,
  contains_alphanumeric: ({ name }) => `${capital(name)} trebuie să conțină litere sau cifre.`,
  contains_alpha_spaces: ({ name }) => `${capital(name)} trebuie să conțină litere sau spații.`,
  contains_numeric: ({ name }) => `${capital(name)} trebuie să conțină cifre.`,
  contains_symbol: ({ name }) => `${capital(name)} trebuie să conțină un simbol.`,
  symbol: ({ name }) => `${capital(name)} poate conține doar simboluri.`,
  date_after: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `după ${day(args[0])}` : 'în viitor'}.`,
  date_before: ({ name, args }) =>
    `${capital(name)} trebuie să fie ${args[0] ? `înainte de ${day(args[0])}` : 'în trecut'}.`,
  date_between: ({ name, args }) =>
    `${capital(name)} trebuie să fie între ${day(args[0])} și ${day(args[1])}.`,
  date_format: ({ name, args }) =>
    args[0] ? `${capital(name)} nu este o dată validă; folosește formatul ${args[0]}.` : WRONG_RULE,
  ends_with: ({ name, args }) => `${capital(name)} trebuie să se termine cu ${listed(args)}.`,
  starts_with: ({ name, args }) => `${capital(name)} trebuie să înceapă cu ${listed(args)}.`,
  length: ({ name, args }) => {
    const [first = 0, second = Number.POSITIVE_INFINITY] = args.map(Number)
    const [min, max] = first < second ? [first, second] : [second, first]
    const bounds =
      min === max
        ? characters(max)
        : max === Number.POSITIVE_INFINITY
          ? `cel puțin ${characters(min)}`
          : min === 0
            ? `cel mult ${characters(max)}`
            : `între ${min} și ${characters(max)}`
    return `${capital(name)} trebuie să aibă ${bounds}.`
  },
  max: ({ name, node, args }) =>
    Array.isArray(node.value)
      ? `Poți alege cel mult ${args[0]}: ${name}.`
      : `${capital(name)} trebuie să fie cel mult egal cu ${args[0]}.`,
  min: ({ name, node, args }) =>
    Array.isArray(node.value)
      ? `Alege cel puțin ${args[0]}: ${name}.`
      : `${capital(name)} trebuie să fie cel puțin ${args[0]}.`,
  not: ({ name, node }) => `„${text(node)}” nu este o valoare acceptată pentru ${name}.`,
  cnp: ({ node }) => fault(parseCnp(text(node))),
  cui: ({ node }) => fault(parseCui(text(node))),
  phone: ({ node }) => fault(parsePhone(text(node))),
}

/** The forms' Romanian [1.6] [5.4] [5.5]. */
export const romanian = { ...ro, validation: { ...ro.validation, ...validation } }
