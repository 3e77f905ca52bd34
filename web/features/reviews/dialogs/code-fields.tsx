import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Field } from '../../../forms/core/field.ts'
import { useForm } from '../../../forms/core/form.tsx'

/**
 * A field, `reason` if no other name is given: a list of codes, which digits select, and the text field for its
 * explanation as `children`.
 */
export function CodeFields<Code extends string>({
  name = 'reason',
  isFirst = true,
  label,
  names,
  message,
  needsText,
  children,
}: {
  name?: string
  /** Whether the form begins with it, so that it gets the focus. */
  isFirst?: boolean
  label: string
  names: Readonly<Record<Code, string>>
  /** Shown while no code is selected. */
  message: string
  /** Whether the explanation of a code is required, so that it gets the focus. */
  needsText: (code: Code) => boolean
  children: ReactNode
}) {
  const { fill } = useForm<Record<string, Code | null>>()
  const fields = useRef<HTMLFieldSetElement>(null)
  const options = (Object.keys(names) as Code[]).map((value, index) => ({
    value,
    label: names[value],
    shortcut: String(index + 1),
  }))
  const choose = (code: Code) => {
    fill(name, code)
    const selector = needsText(code) ? 'textarea' : `input[value="${code}"]`
    fields.current?.querySelector<HTMLElement>(selector)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return
    const chosen = options.find(({ shortcut }) => shortcut === event.key)
    if (!chosen) return
    event.preventDefault()
    choose(chosen.value)
  }
  return (
    <fieldset ref={fields} onKeyDown={onKeyDown} className="grid min-w-0 gap-5">
      <Field
        type="toggle"
        look="list"
        name={name}
        label={label}
        options={options}
        validation="required"
        validationMessages={{ required: message }}
        autoFocus={isFirst}
      />
      {children}
    </fieldset>
  )
}
