import type { Category } from '../../../shared/uploads/categories.ts'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { categoryStore, useCategories } from './categories.ts'
import { CategoryFields } from './category-fields.tsx'
import { type CategoryValues, readValues, writeValues } from './category-values.ts'
import { isSlugTaken } from './store/category-state.ts'

/**
 * The edit buffer as a form [4.8]; mounted while the buffer is not empty. Its save changes only the list on
 * this page.
 */
export function CategorySheet({ edited, onSaved }: { edited: Category; onSaved: (slug: string) => void }) {
  const state = useCategories()
  const save = async (values: CategoryValues, release: () => void) => {
    const category = writeValues(values, edited.slug)
    release()
    categoryStore.fill(category)
    categoryStore.saveEdit()
    onSaved(category.slug)
  }
  return (
    <FormSheet
      title={edited.id ? 'Editează categoria' : 'Adaugă o categorie'}
      saveLabel={edited.id ? 'Aplică' : 'Adaugă'}
      stored={readValues(edited)}
      onSave={save}
      onClose={categoryStore.cancelEdit}
    >
      {state.arrived && (
        <Alert tone="info" isLive className="col-span-full" title="Altcineva a salvat categoriile între timp">
          Termină aici; după aceea vezi ce a schimbat și le unim.
        </Alert>
      )}
      <CategoryFields
        slug={edited.slug}
        isNew={edited.id === null}
        isTaken={(slug) => isSlugTaken(state, slug, edited.id)}
      />
    </FormSheet>
  )
}
