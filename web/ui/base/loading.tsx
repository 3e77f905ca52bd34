import { ProgressBar as AriaProgressBar, Label } from 'react-aria-components'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

export function Spinner({
  label = 'Se încarcă',
  size = 20,
  className,
}: {
  label?: string | undefined
  size?: number | undefined
  className?: string | undefined
}) {
  return (
    <AriaProgressBar isIndeterminate aria-label={label} className={classNames('inline-flex', className)}>
      <Icon name="loader" size={size} className="animate-spin" />
    </AriaProgressBar>
  )
}

/**
 * A grey placeholder for content that is loading. Its size comes from classes: `<Skeleton className="h-4
 * w-40" />`.
 */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-breathe rounded-sm bg-pressed', className)}
    />
  )
}

export interface ProgressBarProps {
  /** What is in progress; shown above the bar unless `hideLabel`. */
  label: string
  /** In percent, 0–100; null while the length of the work is not known. */
  value: number | null
  /** Shown instead of the percentage: `12 din 200`. */
  valueText?: string | undefined
  tone?: 'accent' | 'success' | 'danger' | undefined
  hideLabel?: boolean | undefined
  className?: string | undefined
}

const fills = { accent: 'bg-accent-mark', success: 'bg-success', danger: 'bg-danger-fill' }

export function ProgressBar({
  label,
  value,
  valueText,
  tone = 'accent',
  hideLabel,
  className,
}: ProgressBarProps) {
  return (
    <AriaProgressBar
      isIndeterminate={value === null}
      {...(value === null ? {} : { value })}
      {...(hideLabel ? { 'aria-label': label } : {})}
      {...(valueText === undefined ? {} : { valueLabel: valueText })}
      className={classNames('grid min-w-0 gap-1.5', className)}
    >
      {({ percentage, valueText: text }) => (
        <>
          {!hideLabel && (
            <span className="flex items-baseline justify-between gap-4 text-sm">
              <Label className="w-0 flex-1 truncate">{label}</Label>
              <span className="shrink-0 text-muted">{text}</span>
            </span>
          )}
          <span className="block h-1.5 overflow-hidden rounded-full bg-pressed">
            <span
              className={classNames(
                'block h-full rounded-full',
                fills[tone],
                percentage === undefined ? 'w-2/5 animate-slide' : 'transition-[width]',
              )}
              style={percentage === undefined ? undefined : { width: `${percentage}%` }}
            />
          </span>
        </>
      )}
    </AriaProgressBar>
  )
}
