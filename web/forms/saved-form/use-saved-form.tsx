import type { FormKitNode } from '@formkit/core'
import { cloneAny, eq } from '@formkit/utils'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorCode } from '../../api/client-error.ts'
import { useLeaveWarning } from '../../ui/overlays/leave-warning.tsx'
import { Form } from '../core/form.tsx'
import { changedFields, mergeChanges } from './changes.ts'
import { type Conflict, ConflictNote } from './conflict-note.tsx'
import { hasDraft } from './draft.ts'

export interface SavedFormProps<Values extends object> {
  /** The stored values; the form asks the user before changes to them are lost. */
  stored: Values
  /** The initial values, if they are more than the stored values. */
  start?: Values | undefined
  /**
   * Rejects with the server's error. Calls `release` before opening another screen: the input is saved then.
   */
  onSave: (values: Values, release: () => void) => Promise<unknown>
  /** Returns the stored values after another user saved. */
  onReload?: (() => Promise<Values>) | undefined
  /** The title of the error message; „Nu s-a salvat” by default. */
  failureTitle?: string | undefined
  className?: string | undefined
}

/**
 * The logic of a form that is saved, for any frame: the server's errors under their fields, the warning
 * before unsaved input is lost, and merging after a conflict.
 */
export function useSavedForm<Values extends object>(props: SavedFormProps<Values>) {
  const formId = useId()
  const form = useRef<FormKitNode>(null)
  const [stored, setStored] = useState(props.stored)
  const [start] = useState(props.start ?? props.stored)
  const [values, setValues] = useState(start)
  const [isPending, setPending] = useState(false)
  /** The conflict after another user saved. */
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const warning = useLeaveWarning(
    () => changedFields(stored, values).length > 0 || hasUnsavedInput(form.current),
  )
  const show = async (values: Values, initial: Values) => {
    const node = form.current
    if (!node?.context) return
    setStored(initial)
    node.props.initial = cloneAny(initial)
    await node.input(cloneAny(values), false)
  }

  const merge = async (before: Values, theirs: Values) => {
    const node = form.current
    await node?.settled
    // The form may be closed by now.
    if (!node?.context) return null
    // The current values, which may have changed while the form was submitted.
    const mine = { ...(node.props.initial as Values), ...(node.value as Values) }
    const merged = mergeChanges(before, mine, theirs)
    await show(merged.values, theirs)
    return { both: merged.both, stored: theirs }
  }

  const save = async (mine: Values) => {
    // Synchronously: a key may be pressed before React renders.
    flushSync(() => setPending(true))
    try {
      await props.onSave(mine, warning.release)
      setConflict(null)
    } catch (error) {
      if (errorCode(error) !== 'CONFLICT' || !props.onReload) throw error
      const merged = await merge(stored, await props.onReload())
      setConflict((last) => merged && { ...merged, key: (last?.key ?? 0) + 1 })
    } finally {
      setPending(false)
    }
  }

  return {
    id: formId,
    isPending,
    /** The current values. */
    values,
    /** The names of the fields that differ from the stored values. */
    changed: changedFields(stored, values),
    leave: warning.leave,
    /** The confirmation dialog before leaving. */
    dialog: warning.dialog,
    /** For a form that stays open after `sent` was saved as `saved`: changes made in the meantime stay. */
    mergeSaved: async (sent: Values, saved: Values) => void (await merge(sent, saved)),
    /** Resets all fields to the stored values. */
    reset: () => {
      setConflict(null)
      form.current?.clearErrors(true)
      return show(stored, stored)
    },
    render: (children: ReactNode | ((release: () => void) => ReactNode)) => (
      <>
        {conflict && form.current && (
          <ConflictNote
            key={conflict.key}
            both={conflict.both}
            stored={conflict.stored}
            form={form.current}
          />
        )}
        <Form
          id={formId}
          start={start}
          onSubmit={save}
          onChange={setValues}
          onNode={(node) => {
            form.current = node
          }}
          className={props.className}
          failureTitle={props.failureTitle}
        >
          {typeof children === 'function' ? children(warning.release) : children}
        </Form>
      </>
    ),
  }
}

/**
 * Whether an input contains something that is not in the form's values: a change that FormKit has not
 * committed yet (debounce), or a draft text.
 */
function hasUnsavedInput(form: FormKitNode | null): boolean {
  let isUnsaved = false
  form?.walk((field) => {
    isUnsaved ||= field.type === 'input' && (!eq(field._value, field.value) || hasDraft(field))
  })
  return isUnsaved
}

export type SavedForm<Values extends object> = ReturnType<typeof useSavedForm<Values>>
