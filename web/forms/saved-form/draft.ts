import type { FormKitNode } from '@formkit/core'
import { useEffect } from 'react'

const drafts = new WeakSet<FormKitNode>()

/** Whether a text stands in the field that is no value of it yet: unseen in the form's values, and lost with the form. */
export const hasDraft = (field: FormKitNode): boolean => drafts.has(field)

/** How an input tells of such a text. */
export function useDraft(field: FormKitNode, isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return
    drafts.add(field)
    return () => void drafts.delete(field)
  }, [field, isHeld])
}
