import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import type { Attempt } from './use-attempt.ts'

/** What to say of a field of this name that was left empty. */
const EMPTY: Readonly<Record<string, string>> = {
  password: 'Scrie parola.',
  current: 'Scrie parola de acum.',
  next: 'Scrie parola nouă.',
  code: 'Scrie codul.',
}

/** A few fields, all of them needed, that ask one thing of the server, with its refusal above them. */
export function AttemptForm({
  attempt,
  submitLabel,
  variant = 'primary',
  onSubmit,
  onCancel,
  children,
}: {
  attempt: Attempt
  submitLabel: string
  variant?: 'primary' | 'danger' | undefined
  onSubmit: (fields: Record<string, string>) => void
  onCancel: () => void
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)

  // After a refusal the keyboard stands where something is to be mended.
  useEffect(() => {
    if (Object.keys(attempt.errors).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt.errors])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value)] as const,
    )
    const empty = fields.filter(([, value]) => value.trim() === '')
    if (empty.length > 0) attempt.refuse(Object.fromEntries(empty.map(([name]) => [name, EMPTY[name] ?? ''])))
    else onSubmit(Object.fromEntries(fields))
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      <FailureNotice>{attempt.message}</FailureNotice>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={variant} isPending={attempt.isPending}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          Anulează
        </Button>
      </div>
    </form>
  )
}
