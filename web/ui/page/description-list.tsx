import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface Description {
  label: string
  /** An unknown value (null, undefined, an empty text) is shown as a dash. */
  value: ReactNode
  /** Whether the value takes the whole width: an address, a note. */
  isWide?: boolean | undefined
}

/** The labelled values of a record: one column on small screens, else as many as fit. */
export function DescriptionList({
  items,
  className,
}: {
  items: readonly Description[]
  className?: string | undefined
}) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))] gap-x-6 gap-y-4',
        className,
      )}
    >
      {items.map(({ label, value, isWide }) => (
        <div key={label} className={classNames('min-w-0', isWide && 'col-span-full')}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="mt-0.5 break-words">
            {value === null || value === undefined || value === '' ? <Unknown /> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A dash for an unknown value, read as „necompletat”. */
export function Unknown() {
  return (
    <>
      <span aria-hidden="true" className="text-faint">
        –
      </span>
      <span className="sr-only">necompletat</span>
    </>
  )
}
