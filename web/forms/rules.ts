import type { FormKitNode } from '@formkit/core'
import * as libraryRules from '@formkit/rules'
import type { FormKitValidationRule } from '@formkit/validation'
import { parseCnp } from '../../shared/cnp.ts'
import { parseCui } from '../../shared/cui.ts'
import { parseEmail } from '../../shared/email.ts'
import { parsePhone } from '../../shared/phone.ts'

const text = (node: FormKitNode) => String(node.value ?? '').trim()

/** The library's rules [5.2] and the product's; `email` accepts what the server accepts. */
export const rules: Record<string, FormKitValidationRule> = {
  ...libraryRules,
  email: (node) => parseEmail(text(node)) !== null,
  cnp: (node) => parseCnp(text(node)).ok,
  cui: (node) => parseCui(text(node)).ok,
  phone: (node) => parsePhone(text(node)).ok,
}
