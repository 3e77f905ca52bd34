import type { FormKitNode } from '@formkit/core'
import * as libraryRules from '@formkit/rules'
import type { FormKitValidationRule } from '@formkit/validation'
import { parseEmail } from '../../../shared/email.ts'
import { findPasswordError } from '../../../shared/password-rules.ts'
import { parseCnp } from '../../../shared/romania/cnp.ts'
import { parseCui } from '../../../shared/romania/cui.ts'
import { parsePhone } from '../../../shared/romania/phone.ts'

const text = (node: FormKitNode) => String(node.value ?? '').trim()

/**
 * Makes a letter rule accept decomposed Unicode: a text copied from a PDF or a Mac may contain ă as two
 * characters, a and a breve.
 */
const composed =
  (rule: FormKitValidationRule): FormKitValidationRule =>
  ({ value }, ...args) =>
    rule({ value: String(value).normalize('NFC') } as FormKitNode, ...args)

/**
 * Is run again when the form gets another field: the sentence names the other fields, which may be created
 * after this one.
 */
const requireOne: FormKitValidationRule = (node, ...names) => {
  // The read makes the children a dependency of the rule.
  void node.parent?.children
  return libraryRules.require_one(node, ...names)
}
requireOne.skipEmpty = false

/** The library's rules [5.2] and the product's own. `email` accepts what the server accepts. */
export const rules: Record<string, FormKitValidationRule> = {
  ...libraryRules,
  alpha: composed(libraryRules.alpha),
  alpha_spaces: composed(libraryRules.alpha_spaces),
  alphanumeric: composed(libraryRules.alphanumeric),
  lowercase: composed(libraryRules.lowercase),
  uppercase: composed(libraryRules.uppercase),
  require_one: requireOne,
  email: (node) => parseEmail(text(node)) !== null,
  cnp: (node) => parseCnp(text(node)).ok,
  cui: (node) => parseCui(text(node)).ok,
  phone: (node) => parsePhone(text(node)).ok,
  new_password: (node, min) => findPasswordError(String(node.value), Number(min)) === null,
}
