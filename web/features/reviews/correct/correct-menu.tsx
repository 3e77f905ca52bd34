import { Button } from '../../../ui/base/button.tsx'
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx'
import type { Upload } from '../upload.queries.ts'
import type { Review } from '../use-review.ts'

type Correction = Required<Pick<MenuItem, 'label' | 'icon'>> & {
  /** The dialog that it opens. */
  id: Parameters<Review['dialog']['open']>[0]
  isPossible: (upload: Upload) => boolean
}

/** What can be corrected after the verdict, each in a dialog of its own. */
const CORRECTIONS: readonly Correction[] = [
  { id: 'move', label: 'Alt pacient', icon: 'user-check', isPossible: ({ can }) => can.move },
  { id: 'correct', label: 'Datele încărcării', icon: 'pencil', isPossible: ({ can }) => can.correct },
  {
    id: 'replace',
    label: 'Înlocuiește fișierele',
    icon: 'upload',
    isPossible: ({ can, replacedBy }) => can.replace && !replacedBy,
  },
]

/** The menu of corrections after the verdict; renders nothing where none is possible. */
export function CorrectMenu({ upload, open }: { upload: Upload; open: Review['dialog']['open'] }) {
  const items = CORRECTIONS.filter(({ isPossible }) => isPossible(upload)).map(({ id, label, icon }) => ({
    id,
    label,
    icon,
    onAction: () => open(id),
  }))
  if (items.length === 0) return null
  return (
    <Menu
      label="Corectează"
      trigger={
        <Button variant="quiet" icon="pencil" trailingIcon="chevron-down">
          Corectează
        </Button>
      }
      sections={[{ items }]}
    />
  )
}
