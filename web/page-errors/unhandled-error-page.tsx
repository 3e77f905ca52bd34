import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { ServerErrorPage } from '../ui/page/error-page.tsx'
import { errorPageProps } from './error-facts.ts'
import { dismissUnhandledError, getUnhandledError, subscribeUnhandledError } from './unhandled-errors.ts'

/**
 * Covers the page after an error that no code has handled [2.16]. The screen stays below with what was typed,
 * and the user can return to it.
 */
export function UnhandledErrorPage({ mark }: { mark: ReactNode }) {
  const unhandled = useSyncExternalStore(subscribeUnhandledError, getUnhandledError)
  return unhandled && <Cover mark={mark} {...unhandled} />
}

function Cover({ mark, error, at }: { mark: ReactNode; error: unknown; at: Date }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A modal dialog is above every other layer and makes the rest of the page inert, open dialogs too.
  useEffect(() => dialog.current?.showModal(), [])
  // Outside the root, which an open dialog makes inert.
  return createPortal(
    <dialog
      ref={dialog}
      // No key acts on the screen below (web/features/reviews/use-review-keys.ts), and no dialog below closes
      // because of a click outside it.
      role="alertdialog"
      data-react-aria-top-layer
      aria-label="Eroare"
      onClose={dismissUnhandledError}
      className="m-0 h-dvh max-h-none w-dvw max-w-none overflow-auto bg-canvas p-0"
    >
      <ServerErrorPage
        mark={mark}
        {...errorPageProps(error)}
        at={at}
        onBack={() => dialog.current?.close()}
      />
    </dialog>,
    document.body,
  )
}
