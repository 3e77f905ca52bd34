import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface Description {
  label: string
  /** Nothing known (null, undefined, an empty text) shows as a dash. */
  value: ReactNode
  /** Takes the whole width: an address, a note. */
  isWide?: boolean | undefined
}

/** The facts of a record. One column where it is narrow, as many as fit where it is not. */
export function DescriptionList({
  facts,
  className,
}: {
  facts: readonly Description[]
  className?: string | undefined
}) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))] gap-x-6 gap-y-4',
        className,
      )}
    >
      {facts.map(({ label, value, isWide }) => (
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

/** Where nothing is known. */
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
