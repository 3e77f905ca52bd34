import { type ReactNode, useEffect, useRef } from 'react'
import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { Button, IconButton } from '../base/button.tsx'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'

export interface Toast {
  tone: 'success' | 'error' | 'info'
  title: string
  description?: ReactNode
  /** `{ label: 'Anulează', onAction: undo }`. */
  action?: { label: string; onAction: () => void } | undefined
  /** Milliseconds after which it closes, also while it is hovered or focused. */
  closesAfter?: number | undefined
}

const queue = new ToastQueue<Toast>({ maxVisibleToasts: 3 })

/**
 * Shows a toast and returns a function that closes the toast. A success or info toast closes by itself: after
 * 10 s if it has an action, else after 6 s, and not while it is hovered or focused. An error toast stays
 * until it is closed.
 */
export function showToast(toast: Toast): () => void {
  const { tone, action, closesAfter } = toast
  const isTimed = tone !== 'error' && closesAfter === undefined
  const key = queue.add(toast, isTimed ? { timeout: action ? 10_000 : 6_000 } : {})
  const close = () => queue.close(key)
  if (closesAfter !== undefined) setTimeout(close, closesAfter)
  return close
}

/** Removes all toasts, also those that wait for a place. */
export const clearToasts = (): void => queue.clear()

const toneIcons: Record<Toast['tone'], { icon: IconName; className: string }> = {
  success: { icon: 'check-circle', className: 'text-success' },
  error: { icon: 'error', className: 'text-danger' },
  info: { icon: 'info', className: 'text-info' },
}

/** The region where toasts are shown; rendered once in the application. On the left, since buttons that save are on the right. */
export function ToastHost() {
  return (
    <ToastRegion
      queue={queue}
      aria-label="Notificări"
      className="toasts layer-toast fixed inset-x-3 bottom-[calc(var(--bottom-bar,0px)+0.75rem)] flex flex-col-reverse gap-2 rounded-lg sm:right-auto sm:w-96 print:hidden"
    >
      {({ toast }) => {
        const { tone, title, description, action } = toast.content
        return (
          <AriaToast
            toast={toast}
            className="flex items-start gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 shadow-raised transition-[opacity,translate] starting:translate-y-2 starting:opacity-0"
          >
            <Icon name={toneIcons[tone].icon} className={classNames('mt-2.5', toneIcons[tone].className)} />
            {/* On little width, the action wraps below the text. */}
            <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3.5">
              <ToastContent className="grid min-w-0 flex-1 basis-40 gap-0.5 py-2 text-sm">
                <Text slot="title" className="font-medium">
                  {title}
                </Text>
                {description && (
                  <Text slot="description" className="text-muted">
                    {description}
                  </Text>
                )}
              </ToastContent>
              {action && (
                <Button
                  variant="quiet"
                  className="-ml-3.5"
                  onPress={() => {
                    action.onAction()
                    queue.close(toast.key)
                  }}
                >
                  {action.label}
                </Button>
              )}
            </div>
            <IconButton icon="close" label="Închide" slot="close" />
            <ForgetFocus timer={toast.timer} />
          </AriaToast>
        )
      }}
    </ToastRegion>
  )
}

/**
 * Dispatches the event of a lost focus to the region when a toast is removed and when one is shown, unless the focus is inside. The
 * browser sends none when the element with the focus is removed: for React Aria a toast would still have it, and the next one that
 * closes would take it from the page.
 */
function ForgetFocus({ timer }: { timer: { pause(): void } | undefined }) {
  const place = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast keeps its timer
  useEffect(() => {
    const region = place.current?.closest('.toasts')
    const forget = () => {
      if (region && !region.contains(document.activeElement))
        region.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    }
    forget()
    // The region may have started it. The toast starts it after this, and would then have two, of which hovering stops one.
    timer?.pause()
    return forget
  }, [])
  return <span ref={place} hidden />
}
