import type { FormKitNode } from '@formkit/core'

const nameOf = (rule: string) => /[a-z]\w*/i.exec(rule.split(':')[0]!.replace(/\(.*?\)/g, ''))?.[0]

/** A feature of an input that brings a rule along, after those of its field; not where the field itself names that rule. */
export function customRule(rule: string): (node: FormKitNode) => void {
  // Twice in one list, a rule's second run would take back what the first has said.
  const withRule = (validation: string | undefined) => {
    const rules = validation ? validation.split('|') : []
    return rules.some((other) => nameOf(other) === nameOf(rule)) ? validation : [...rules, rule].join('|')
  }
  return (node) => {
    node.hook.prop((change, next) =>
      next(change.prop === 'validation' ? { ...change, value: withRule(change.value) } : change),
    )
    node.props.validation = withRule(node.props.validation)
  }
}
