import { createNode, type FormKitNode } from '@formkit/core'
import { group } from '@formkit/inputs'
import { setCustomError } from '../../core/custom-error.ts'
import { findCountError } from './items.ts'

/**
 * A feature of a FormKit list that keeps one group node per value, which moves and is removed with its value,
 * so that the state of a field (text, errors) stays with its item. FormKit leaves a new index empty until a
 * component mounts; here the node is created at once, so that a server error of `contacts.0.email` finds its
 * field.
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

/** A feature of a list that blocks the form while it has too few or too many items. */
export function validateCount(node: FormKitNode): void {
  const check = () => {
    const { label = node.name, min = 0, max = Number.POSITIVE_INFINITY } = node.props
    setCustomError(node, findCountError(label, (node._value as unknown[]).length, min, max))
  }
  for (const change of ['commit', 'prop:min', 'prop:max', 'prop:label']) node.on(change, check)
}
