import { classNames } from './class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'md' | 'lg'

export interface ButtonShape {
  /** `secondary` by default; at most one `primary` button on a screen. */
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  className?: string | undefined
}

export const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-pressed',
  secondary:
    'border border-line-strong/60 bg-surface text-ink hover:bg-hover active:bg-pressed data-[pressed]:bg-pressed',
  quiet: 'text-ink hover:bg-hover active:bg-pressed',
  danger: 'bg-danger-fill text-on-danger hover:bg-danger-fill-hover',
}

const sizes: Record<ButtonSize, string> = {
  md: 'hit-area px-3.5 text-sm',
  lg: 'min-h-12 px-5 text-base',
}

const shape =
  'inline-flex select-none items-center justify-center gap-2 rounded-md py-1.5 text-center font-medium transition-colors'

/** Returns the classes of a button. They work for a button of React Aria, a plain button and a link. */
export function buttonClass({ variant = 'secondary', size = 'md', className }: ButtonShape): string {
  return classNames(shape, variants[variant], sizes[size], className)
}
