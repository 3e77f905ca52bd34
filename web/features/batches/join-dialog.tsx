import { Button } from '../../ui/base/button.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { BatchGroup } from './batches.queries.ts'
import { isFiled, patientOf } from './group-facts.ts'
import { nameOf } from './group-row.tsx'

/** The choice of the group that gets files of another one. */
export function JoinDialog({
  groups,
  except,
  onChoose,
  onClose,
}: {
  groups: readonly BatchGroup[]
  /** The group that has the files now. */
  except: string
  onChoose: (uploadId: string) => void
  onClose: () => void
}) {
  const options = groups
    .filter((group) => group.upload.id !== except && group.upload.files.length > 0 && !isFiled(group))
    .map((group) => ({
      id: group.upload.id,
      label: nameOf(group),
      description: patientOf(group)?.name ?? 'fără pacient',
    }))
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Unește cu…"
      size="sm"
      actions={<Button onPress={onClose}>Renunț</Button>}
    >
      <ComboBox
        label="Grupul care primește fișierele"
        autoFocus
        placeholder="Numele unui fișier"
        value={null}
        options={options}
        emptyText="Niciun grup găsit"
        onChange={(id) => id !== null && onChoose(id)}
      />
    </Dialog>
  )
}
