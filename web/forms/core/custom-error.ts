import { createMessage, type FormKitFrameworkContext, type FormKitNode } from '@formkit/core'
import { useEffect, useState } from 'react'
import { fieldError } from './input.ts'

const KEY = 'own_fault'

/** What an input itself finds wrong, beside the rules: blocks the form, and is seen when their sentences are; null: nothing. */
export function setCustomError(node: FormKitNode, sentence: string | null): void {
  if (sentence === null) {
    node.store.remove(KEY)
    return
  }
  const meta = { localize: false }
  node.store.set(createMessage({ key: KEY, type: 'validation', blocking: true, value: sentence, meta }))
}

/** The same for what a control finds wrong with its text: that, what tells it, and the sentence that the field shows now. */
export function useCustomError(context: FormKitFrameworkContext) {
  const { node } = context
  const [customError, setCustomErrorText] = useState<string | null>(null)
  useEffect(() => {
    if (customError === null) return
    const block = () => setCustomError(node, customError)
    block()
    // Other rules drop every message of the field, also this one, which is of none.
    const receipt = node.on('prop:validation', block)
    return () => {
      node.off(receipt)
      setCustomError(node, null)
    }
  }, [node, customError])
  const shown = context.messages[KEY]
  // A text that is no value has none: that one is required goes without saying.
  return {
    fault: customError,
    setFault: setCustomErrorText,
    error: shown ? String(shown.value) : fieldError(context),
  }
}
