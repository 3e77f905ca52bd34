import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'

export interface CheckboxProps extends Omit<AriaCheckboxProps, 'children' | 'className' | 'style'> {
  /** The label; without it, `aria-label` is required. */
  children?: ReactNode
  /** A second line in muted text; in the colour of errors if the checkbox is invalid. */
  help?: ReactNode
  className?: string | undefined
}

export function Checkbox({ children, help, className, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      className={classNames(
        'hit-area group/checkbox flex cursor-pointer items-start gap-2.5 py-2.5 text-sm data-disabled:cursor-not-allowed data-disabled:opacity-50',
        className,
      )}
    >
      {({ isIndeterminate }) => (
        <>
          <span className="flex size-5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-canvas transition-colors group-hover/checkbox:border-ink group-data-focus-visible/checkbox:outline-2 group-data-focus-visible/checkbox:outline-offset-2 group-data-focus-visible/checkbox:outline-focus group-data-indeterminate/checkbox:border-accent-mark group-data-indeterminate/checkbox:bg-accent-mark group-data-invalid/checkbox:border-danger group-data-selected/checkbox:border-accent-mark group-data-selected/checkbox:bg-accent-mark">
            <span className="invisible flex group-data-indeterminate/checkbox:visible group-data-selected/checkbox:visible">
              <Icon name={isIndeterminate ? 'minus' : 'check'} size={16} />
            </span>
          </span>
          {(children || help) && (
            <span className="grid gap-0.5">
              {children}
              {help && <span className="text-muted group-data-invalid/checkbox:text-danger">{help}</span>}
            </span>
          )}
        </>
      )}
    </AriaCheckbox>
  )
}
