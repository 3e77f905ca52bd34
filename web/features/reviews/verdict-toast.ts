import { showToast, type Toast } from '../../ui/feedback/toast.tsx'

let dismiss: (() => void) | null = null

/** Says what became of the last verdict. Only of the last: a hundred of them would stand before what is to be read. */
export function showVerdict(toast: Toast): void {
  clearVerdict()
  dismiss = showToast(toast)
}

/** Makes room for a form that opens where it stands. */
export function clearVerdict(): void {
  dismiss?.()
  dismiss = null
}
