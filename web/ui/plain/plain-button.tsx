import type { ComponentPropsWithRef } from 'react'
import { type ButtonShape, buttonClass } from '../base/button-styles.ts'
import { classNames } from '../base/class-names.ts'

export interface PlainButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className'>, ButtonShape {
  /** The work is under way: pressing does nothing, the focus stays, a ring turns. */
  isPending?: boolean | undefined
}

/** The browser's own button, for pages that are there before React Aria: signing in, the error pages. */
export function PlainButton({
  variant,
  size,
  className,
  isPending,
  type = 'button',
  children,
  onClick,
  ...props
}: PlainButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-disabled={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.(event))}
      className={classNames(buttonClass({ variant, size, className }), isPending && 'cursor-progress')}
    >
      {isPending && (
        <span
          role="progressbar"
          aria-label="Se lucrează"
          className="size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
        />
      )}
      {children}
    </button>
  )
}
