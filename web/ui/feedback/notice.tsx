import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { tones } from '../base/tones.ts'
import { PlainIcon } from '../plain/plain-icon.tsx'

/** What has just gone wrong, read aloud; nothing where nothing has. */
export const FailureNotice = ({ children }: { children: string | null }) =>
  children && (
    <Notice tone="danger" isLive>
      {children}
    </Notice>
  )

/** A sentence to know, on pages that are there before the icons of all the others. */
export function Notice({
  tone,
  isLive,
  children,
}: {
  tone: 'info' | 'danger'
  /** It has just appeared because of what the person did: read it aloud at once. */
  isLive?: boolean | undefined
  children: ReactNode
}) {
  return (
    <div
      {...(isLive ? { role: 'alert' } : {})}
      className={classNames('flex gap-3 rounded-lg border px-4 py-3 text-sm', tones[tone])}
    >
      <PlainIcon name={tone === 'info' ? 'info' : 'fault'} className="shrink-0" />
      <div className="min-w-0 flex-1 text-ink">{children}</div>
    </div>
  )
}
