import { type ReactNode, useId, useState } from 'react'
import { Button, type ButtonProps } from '../../ui/base/button.tsx'
import { Form } from './form.tsx'

export interface InlineFormProps<Values extends object> {
  start: Values
  submitLabel: string
  variant?: ButtonProps['variant']
  /** Rejects with the server's error. */
  onSubmit: (values: Values) => Promise<unknown>
  onCancel: () => void
  failureTitle?: string | undefined
  children: ReactNode
}

/** A short form in the flow of a page, with its buttons. */
export function InlineForm<Values extends object>(props: InlineFormProps<Values>) {
  const [isPending, setPending] = useState(false)
  const submit = async (values: Values) => {
    setPending(true)
    try {
      await props.onSubmit(values)
    } finally {
      setPending(false)
    }
  }
  return (
    <Form id={useId()} start={props.start} onSubmit={submit} failureTitle={props.failureTitle}>
      {props.children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={props.variant ?? 'primary'} isPending={isPending}>
          {props.submitLabel}
        </Button>
        <Button variant="quiet" onPress={props.onCancel}>
          Anulează
        </Button>
      </div>
    </Form>
  )
}
