import { showToast, type Toast } from '../../../ui/feedback/toast.tsx'

let dismiss: (() => void) | null = null

/**
 * Shows the outcome of the last verdict. Replaces the previous notification, so that many verdicts do not
 * cover the page.
 */
export function showVerdict(toast: Toast): void {
  clearVerdict()
  dismiss = showToast(toast)
}

/** Closes the notification, so that it does not cover a form that opens in its place. */
export function clearVerdict(): void {
  dismiss?.()
  dismiss = null
}
