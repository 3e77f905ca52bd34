import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { tones } from '../base/tones.ts'
import { PlainIcon } from '../plain/plain-icon.tsx'

/** An error notice that screen readers announce; renders nothing for null. */
export const FailureNotice = ({ children }: { children: string | null }) =>
  children && (
    <Notice tone="danger" isLive>
      {children}
    </Notice>
  )

/** A message for pages that do not load the icon set, such as sign-in. */
export function Notice({
  tone,
  isLive,
  children,
}: {
  tone: 'info' | 'danger'
  /** Whether a user action caused the notice: screen readers then announce the notice at once. */
  isLive?: boolean | undefined
  children: ReactNode
}) {
  return (
    <div
      {...(isLive ? { role: 'alert' } : {})}
      className={classNames('flex gap-3 rounded-lg border px-4 py-3 text-sm', tones[tone])}
    >
      <PlainIcon name={tone === 'info' ? 'info' : 'error'} className="shrink-0" />
      <div className="min-w-0 flex-1 text-ink">{children}</div>
    </div>
  )
}
