import type { ReactNode } from 'react'
import { Button } from '../base/button.tsx'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'

export interface EmptyStateProps {
  icon: IconName
  /** The state: `Niciun pacient încă`. */
  title: string
  /** What the user can do next. */
  children?: ReactNode
  action?: ReactNode
  className?: string | undefined
}

export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={classNames('flex flex-col items-center px-6 py-12 text-center', className)}>
      <span className="flex size-12 items-center justify-center rounded-full bg-hover text-muted">
        <Icon name={icon} size={24} />
      </span>
      <p className="mt-4 font-semibold">{title}</p>
      {children && <div className="mt-1 max-w-prose text-sm text-balance text-muted">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  title?: string | undefined
  /** The message for the user. */
  children?: ReactNode
  onRetry?: (() => void) | undefined
  isRetrying?: boolean | undefined
  className?: string | undefined
}

/** An error message in place of a part of a page that could not be loaded. */
export function ErrorState({
  title = 'Nu am putut încărca datele',
  children = 'Verificați conexiunea și încercați din nou.',
  onRetry,
  isRetrying,
  className,
}: ErrorStateProps) {
  return (
    <div role="alert" className={classNames('flex flex-col items-center px-6 py-12 text-center', className)}>
      <span className="flex size-12 items-center justify-center rounded-full bg-danger-soft text-danger">
        <Icon name="important" size={24} />
      </span>
      <p className="mt-4 font-semibold">{title}</p>
      <div className="mt-1 max-w-prose text-sm text-balance text-muted">{children}</div>
      {onRetry && (
        <Button className="mt-5" icon="retry" onPress={onRetry} isPending={isRetrying ?? false}>
          Încearcă din nou
        </Button>
      )}
    </div>
  )
}
