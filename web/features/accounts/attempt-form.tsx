import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Attempt } from './use-attempt.ts'

/** A few fields that ask one thing of the server, with its refusal above them. */
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    onSubmit(Object.fromEntries(fields) as Record<string, string>)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {attempt.message && (
        <Notice tone="danger" isLive>
          {attempt.message}
        </Notice>
      )}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={variant} isPending={attempt.isPending}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          Renunță
        </Button>
      </div>
    </form>
  )
}
