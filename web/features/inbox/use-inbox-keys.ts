import { usePageKeys } from '../../ui/hooks/use-page-keys.ts'
import { type InboxCommand, readInboxKey } from './inbox-keys.ts'

/** Elements that use letter keys themselves. */
const TEXT_ENTRY =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=tablist]'
/** Dialogs, under which no key acts; a toast, which has the same role, is none. */
const DIALOG = '[role=dialog], [role=alertdialog]:not([role=region] *)'

/** Calls `onCommand` for the keys of the inbox, outside fields and dialogs. */
export function useInboxKeys(onCommand: (command: InboxCommand) => void): void {
  usePageKeys((event) => {
    const { target } = event
    if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return
    if (target.closest(TEXT_ENTRY) || document.querySelector(DIALOG)) return
    const command = readInboxKey(event)
    if (!command) return
    event.preventDefault()
    onCommand(command)
  })
}
