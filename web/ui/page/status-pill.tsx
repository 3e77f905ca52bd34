import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { type Tone, tones } from '../base/tones.ts'

export type { Tone } from '../base/tones.ts'

/** A status with an icon and a word; the colour only repeats them. */
export function StatusPill({
  icon,
  tone = 'neutral',
  children,
  className,
}: {
  icon: IconName
  tone?: Tone | undefined
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center gap-1.5 whitespace-nowrap rounded-full border py-0.5 pr-2.5 pl-2 text-xs font-medium',
        tones[tone],
        className,
      )}
    >
      <Icon name={icon} size={14} />
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A small number or word beside an element: a count, a type of file. */
export function Badge({
  tone = 'neutral',
  children,
  className,
}: {
  tone?: Tone | undefined
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <span
      className={classNames(
        'inline-flex min-w-5 items-center justify-center whitespace-nowrap rounded-full border px-1.5 text-xs font-medium',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
