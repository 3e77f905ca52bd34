import { usePageKeys } from '../../ui/hooks/use-page-keys.ts'

/** Calls `onSlash` for the key `/` outside fields and dialogs: the key for the search. */
export function useSlashKey(onSlash: () => void): void {
  usePageKeys((event) => {
    const { target } = event
    const isInField =
      target instanceof HTMLElement &&
      target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=listbox]') !== null
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isInField) return
    event.preventDefault()
    onSlash()
  })
}
