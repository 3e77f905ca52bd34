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
  /** What is stored; the form asks before anything else that stands in it is lost. */
  stored: Values
  /** What stands in the form at first, where that is more than what is stored. */
  start?: Values | undefined
  /** Rejects with the server's refusal. `release` before going elsewhere: what was typed is saved. */
  onSave: (values: Values, release: () => void) => Promise<unknown>
  /** What is stored by now, after somebody else has saved. */
  onReload?: (() => Promise<Values>) | undefined
  /** Over what went wrong; without it „Nu s-a salvat”. */
  failureTitle?: string | undefined
  className?: string | undefined
}

/**
 * What a form that is saved needs, whatever stands around it: the server's sentences under their fields, the warning before
 * typed work is lost, and what to do where somebody else has saved in the meantime.
 */
export function useSavedForm<Values extends object>(props: SavedFormProps<Values>) {
  const formId = useId()
  const form = useRef<FormKitNode>(null)
  const [stored, setStored] = useState(props.stored)
  const [start] = useState(props.start ?? props.stored)
  const [values, setValues] = useState(start)
  const [isPending, setPending] = useState(false)
  /** After somebody else has saved. */
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
    // Closed in the meantime.
    if (!node?.context) return null
    // What stands there by now: somebody may have gone on typing while it was sent.
    const mine = { ...(node.props.initial as Values), ...(node.value as Values) }
    const merged = mergeChanges(before, mine, theirs)
    await show(merged.values, theirs)
    return { both: merged.both, stored: theirs }
  }

  const save = async (mine: Values) => {
    // At once: a key may be pressed before React comes to it.
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
    /** What stands in the form. */
    values,
    /** The names of the fields that say something else than what is stored. */
    changed: changedFields(stored, values),
    leave: warning.leave,
    /** Where the question before leaving appears. */
    dialog: warning.dialog,
    /** For a form that stands on after `sent` was saved as `saved`: what was typed meanwhile stays. */
    takeSaved: async (sent: Values, saved: Values) => void (await merge(sent, saved)),
    /** Everything says again what is stored. */
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

/** Whether something was typed that is not in the form's values: just now, which FormKit waits a moment with, or in part. */
function hasUnsavedInput(form: FormKitNode | null): boolean {
  let isHeld = false
  form?.walk((field) => {
    isHeld ||= field.type === 'input' && (!eq(field._value, field.value) || hasDraft(field))
  })
  return isHeld
}

export type SavedForm<Values extends object> = ReturnType<typeof useSavedForm<Values>>
