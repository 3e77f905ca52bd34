import type { MenuItem } from '../../ui/overlays/menu.tsx'
import type { BatchGroup } from './batches.queries.ts'
import { isFiled } from './group-facts.ts'
import type { BatchPage } from './use-batch-page.ts'

/** With a verdict a filing is not taken back. */
const DECIDED: ReadonlySet<string> = new Set(['accepted', 'rejected', 'released', 'withdrawn', 'replaced'])

/** Returns the menu of a row. */
export function actionsOf(
  group: BatchGroup,
  {
    filing,
    showFiles,
    setSheet,
    setAsked,
  }: Pick<BatchPage, 'filing' | 'showFiles' | 'setSheet' | 'setAsked'>,
): MenuItem[] {
  const { id } = group.upload
  if (isFiled(group))
    return group.undoUntil && !DECIDED.has(group.upload.state)
      ? [{ id: 'undo', label: 'Ia înapoi', icon: 'undo', onAction: () => filing.undo(id) }]
      : []
  const edit: MenuItem = {
    id: 'edit',
    label: 'Editează și trimite',
    icon: 'pencil',
    onAction: () => setSheet({ kind: 'edit', group }),
  }
  return [
    { id: 'files', label: 'Arată fișierele', icon: 'eye', onAction: () => showFiles(id) },
    ...(group.proposal ? [edit] : []),
    {
      id: 'patient',
      label: 'Pacient nou',
      icon: 'user-plus',
      onAction: () => setSheet({ kind: 'patient', group }),
    },
    {
      id: 'remove',
      label: 'Scoate din lot',
      icon: 'trash',
      isDangerous: true,
      onAction: () => setAsked({ kind: 'remove', group }),
    },
  ]
}
