import { counted } from '../../../shared/romania/romanian.ts'
import type { Category } from '../../../shared/uploads/categories.ts'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { categoryStore } from './categories.ts'
import { subtreeOf } from './category-edits.ts'
import { uploadCount } from './category-labels.ts'
import { countBelow } from './category-values.ts'

interface RemoveDialogProps {
  category: Category
  list: readonly Category[]
  counts: ReadonlyMap<string, number>
  onClose: () => void
}

/**
 * Asks to confirm a removal. Nothing is deleted before the list is saved; where the uploads go is asked then.
 */
export function RemoveDialog({ category: { slug, name }, list, counts, onClose }: RemoveDialogProps) {
  const below = subtreeOf(list, slug).length - 1
  const uploads = countBelow(counts, slug)
  const remove = () => {
    categoryStore.remove(slug)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Ștergi „${name}”?`}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="danger" onPress={remove}>
            Șterge
          </Button>
        </>
      }
    >
      <div className="grid gap-2 text-muted">
        {below > 0 && (
          <p>{`Se ${below === 1 ? 'șterge' : 'șterg'} și ${counted(below, 'subcategorie', 'subcategorii')}.`}</p>
        )}
        <p>
          {uploads > 0
            ? `Aici ${uploads === 1 ? 'este' : 'sunt'} ${uploadCount(uploads)}. La salvare alegi unde merg.`
            : 'Nu are încărcări.'}{' '}
          Până salvezi, nimic nu este șters.
        </p>
      </div>
    </Dialog>
  )
}
