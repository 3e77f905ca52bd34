import type { FormKitNode } from '@formkit/core'

const nameOf = (rule: string) => /[a-z]\w*/i.exec(rule.split(':')[0]!.replace(/\(.*?\)/g, ''))?.[0]

/**
 * Returns a feature that appends a rule to the rules of the input's field, unless the field already has this
 * rule.
 */
export function customRule(rule: string): (node: FormKitNode) => void {
  // A rule must not be in the list twice: its second run would remove the message of the first.
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
