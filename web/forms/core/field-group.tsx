import type { ReactNode } from 'react'

/** Related fields under a common title; two columns if there is room. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="col-span-full min-w-0">
      <legend className="mb-3 text-sm font-semibold text-muted">{title}</legend>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}
