import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { tones } from '../base/tones.ts'

export type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const icons: Record<AlertTone, IconName> = {
  info: 'info',
  success: 'check-circle',
  warning: 'warning',
  danger: 'error',
}

export interface AlertProps {
  tone: AlertTone
  title?: ReactNode
  children?: ReactNode
  /** Buttons or links under the text. */
  actions?: ReactNode
  icon?: IconName | undefined
  /** Whether a user action caused the alert: screen readers then announce the alert at once. */
  isLive?: boolean | undefined
  className?: string | undefined
}

/** A message in the flow of the page. */
export function Alert({ tone, title, children, actions, icon, isLive, className }: AlertProps) {
  return (
    <div
      {...(isLive ? { role: 'alert' } : {})}
      className={classNames('flex gap-3 rounded-lg border px-4 py-3 text-sm', tones[tone], className)}
    >
      <Icon name={icon ?? icons[tone]} />
      <div className="grid min-w-0 flex-1 gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
        {actions && <div className="mt-1.5 flex flex-wrap gap-2 text-ink">{actions}</div>}
      </div>
    </div>
  )
}
