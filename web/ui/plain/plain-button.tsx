import type { ComponentPropsWithRef } from 'react'
import { type ButtonShape, buttonClass } from '../base/button-styles.ts'
import { classNames } from '../base/class-names.ts'

export interface PlainButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className'>, ButtonShape {
  /** The action is in progress: a press does nothing, the focus stays and a spinner is shown. */
  isPending?: boolean | undefined
}

/** A plain button for pages that do not load React Aria: sign-in and the error pages. */
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
