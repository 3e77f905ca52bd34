import { createMessage, type FormKitFrameworkContext, type FormKitNode } from '@formkit/core'
import { useEffect, useState } from 'react'
import { fieldError } from './input.ts'

const KEY = 'custom_error'

/**
 * Sets or clears (null) an error that an input finds itself, in addition to the rules. The error blocks the
 * form, and is shown when the errors of the rules are.
 */
export function setCustomError(node: FormKitNode, sentence: string | null): void {
  if (sentence === null) {
    node.store.remove(KEY)
    return
  }
  const meta = { localize: false }
  node.store.set(createMessage({ key: KEY, type: 'validation', blocking: true, value: sentence, meta }))
}

/**
 * Keeps the error that a control finds in its own text. Returns the error, its setter, and the sentence that
 * the field shows now.
 */
export function useCustomError(context: FormKitFrameworkContext) {
  const { node } = context
  const [customError, setCustomErrorText] = useState<string | null>(null)
  useEffect(() => {
    if (customError === null) return
    const block = () => setCustomError(node, customError)
    block()
    // When the rules change, FormKit removes all validation messages of the field, so the error is set again.
    const receipt = node.on('prop:validation', block)
    return () => {
      node.off(receipt)
      setCustomError(node, null)
    }
  }, [node, customError])
  const visibleMessage = context.messages[KEY]
  // A text that is not a valid value leaves the value empty, so „required” would fail too: only the custom
  // error is shown.
  return {
    customError,
    setCustomError: setCustomErrorText,
    error: visibleMessage ? String(visibleMessage.value) : fieldError(context),
  }
}
