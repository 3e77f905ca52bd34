import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface LeaveQuestionProps {
  title: string
  /** What is lost, or kept, by leaving. */
  children: ReactNode
  stayLabel: string
  leaveLabel: string
}

/**
 * While `isActive`, asks before the person leaves the page: in our words where they go elsewhere in the application, in the
 * browser's where they close or reload it. Signing out is a decision of its own and is let through.
 */
export function LeaveGuard({ isActive, ...question }: LeaveQuestionProps & { isActive: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }) =>
        isActive && next.pathname !== current.pathname && next.pathname !== '/signout',
      [isActive],
    ),
    enableBeforeUnload: isActive,
    withResolver: true,
  })
  return (
    <LeaveQuestion
      {...question}
      isOpen={blocker.status === 'blocked'}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}

/** The question itself, for what closes without leaving the page. */
export function LeaveQuestion({
  isOpen,
  title,
  children,
  stayLabel,
  leaveLabel,
  onStay,
  onLeave,
}: LeaveQuestionProps & { isOpen: boolean; onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isDismissable={false}
      isOpen={isOpen}
      onOpenChange={onStay}
      title={title}
      actions={
        <>
          <Button onPress={onLeave}>{leaveLabel}</Button>
          <Button variant="primary" onPress={onStay} autoFocus>
            {stayLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
