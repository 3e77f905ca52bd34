import { type Category, parentSlug } from '../../../shared/uploads/categories.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { canBeParent } from './category-edits.ts'
import { useCategoryOptions, withPath } from './use-category-options.ts'

/** The value of the top level; no slug has an empty part. */
const TOP_LEVEL = '::'

interface MoveUnderDialogProps {
  category: Category
  list: readonly Category[]
  /** Called with the new parent; null is the top level. */
  onMove: (parent: string | null) => void
  onClose: () => void
}

/** Moves a category under another one; only allowed parents are offered. */
export function MoveUnderDialog({ category, list, onMove, onClose }: MoveUnderDialogProps) {
  const { slug, name } = category
  const options = useCategoryOptions()
    .map(withPath)
    .filter(({ id }) => canBeParent(list, slug, id))
  const current = parentSlug(slug) ?? TOP_LEVEL
  return (
    <FormDialog
      title={`Mută „${name}”`}
      size="sm"
      saveLabel="Mută"
      stored={{ parent: current }}
      onSave={async ({ parent }, release) => {
        release()
        onMove(parent === TOP_LEVEL ? null : parent)
      }}
      onClose={onClose}
    >
      <Field
        type="dropdown"
        name="parent"
        label="Sub"
        help="Slugul ei și al subcategoriilor începe apoi cu al categoriei alese. Nu se trece de trei niveluri."
        search
        options={[{ id: TOP_LEVEL, label: 'Primul nivel' }, ...options]}
        validation="required"
      />
    </FormDialog>
  )
}
