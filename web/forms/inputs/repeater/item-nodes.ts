import { createNode, type FormKitNode } from '@formkit/core'
import { group } from '@formkit/inputs'
import { setCustomError } from '../../core/custom-error.ts'
import { findCountError } from './items.ts'

/**
 * A FormKit list whose items follow its value: each value has a group of its own, which moves and goes with it, so that
 * what a field knows (its text, its refusals) stays with its item. FormKit leaves a place empty until a component fills
 * it; here it is filled at once, so that a server's refusal of `contacts.0.email` finds its field.
 */
export function keepItemNodes(node: FormKitNode): void {
  node._c.sync = true
  let isFilling = false
  node.on('commit', () => {
    if (isFilling) return
    isFilling = true
    node.children.forEach((child, index) => {
      if ('__FKP' in child) createItemNode(node, index)
    })
    isFilling = false
  })
}

function createItemNode(parent: FormKitNode, index: number): void {
  const value = (parent._value as unknown[])[index] as object
  createNode({ type: 'group', parent, index, value, props: { type: 'group', definition: group } })
}

/** Too few or too many items are refused. */
export function validateCount(node: FormKitNode): void {
  const check = () => {
    const { label = node.name, min = 0, max = Number.POSITIVE_INFINITY } = node.props
    setCustomError(node, findCountError(label, (node._value as unknown[]).length, min, max))
  }
  for (const change of ['commit', 'prop:min', 'prop:max', 'prop:label']) node.on(change, check)
}
