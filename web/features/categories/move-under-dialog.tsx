import { type Category, parentSlug } from '../../../shared/uploads/categories.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { canBeParent } from './category-edits.ts'
import { useCategoryOptions, withPath } from './use-category-options.ts'

/** No slug is empty. */
const TOP = '::'

interface MoveUnderDialogProps {
  category: Category
  list: readonly Category[]
  /** null: on the top level. */
  onMove: (parent: string | null) => void
  onClose: () => void
}

/** Puts a category under another one; only what may hold it is offered. */
export function MoveUnderDialog({ category, list, onMove, onClose }: MoveUnderDialogProps) {
  const { slug, name } = category
  const options = useCategoryOptions()
    .map(withPath)
    .filter(({ id }) => canBeParent(list, slug, id))
  const here = parentSlug(slug) ?? TOP
  return (
    <FormDialog
      title={`Mută „${name}”`}
      size="sm"
      saveLabel="Mută"
      stored={{ parent: here }}
      onSave={async ({ parent }, release) => {
        release()
        onMove(parent === TOP ? null : parent)
      }}
      onClose={onClose}
    >
      <Field
        type="dropdown"
        name="parent"
        label="Sub"
        help="Slugul ei și al subcategoriilor începe apoi cu al categoriei alese. Nu se trece de trei niveluri."
        search
        options={[{ id: TOP, label: 'Primul nivel' }, ...options]}
        validation="required"
      />
    </FormDialog>
  )
}
