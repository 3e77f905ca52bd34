import type { FormKitNode } from '@formkit/core'
import { useEffect } from 'react'

const drafts = new WeakSet<FormKitNode>()

/**
 * Whether the field contains a text that is not a value yet: the form's values do not have it, and it would
 * be lost with the form.
 */
export const hasDraft = (field: FormKitNode): boolean => drafts.has(field)

/** Marks the field of an input as containing a draft text while `isDraft` is true. */
export function useDraft(field: FormKitNode, isDraft: boolean): void {
  useEffect(() => {
    if (!isDraft) return
    drafts.add(field)
    return () => void drafts.delete(field)
  }, [field, isDraft])
}
