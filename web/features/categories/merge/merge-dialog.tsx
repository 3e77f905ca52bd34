import type { Category } from '../../../../shared/uploads/categories.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { categoryStore } from '../categories.ts'
import { describeDifferences, describeProperty, PROPERTY_NAMES } from '../category-labels.ts'
import type { CategoryState } from '../store/category-state.ts'
import { type Choice, type MergeConflict, ORDER } from './category-merge.ts'
import { type CategoryProperty, listDifferences } from './category-properties.ts'
import { DifferenceLines } from './difference-lines.tsx'

interface MergeDialogProps {
  state: CategoryState
  onMerge: (choices: ReadonlyMap<string, Choice>) => void
  onClose: () => void
}

/** Shows the changes of both users, and asks for each conflict whose version stays. */
export function MergeDialog({ state, onMerge, onClose }: MergeDialogProps) {
  const conflicts = categoryStore.previewMerge()?.conflicts ?? []
  const start: Record<string, string | null> = Object.fromEntries(
    conflicts.map((_, index) => [`choice${index}`, null]),
  )
  return (
    <FormDialog
      title="Altcineva a salvat între timp"
      size="lg"
      saveLabel="Unește"
      stored={start}
      onSave={async (values, release) => {
        release()
        onMerge(new Map(conflicts.map(({ id }, index) => [id, values[`choice${index}`] as Choice])))
      }}
      onClose={onClose}
    >
      <div className="col-span-full grid gap-3 text-sm sm:grid-cols-2">
        <DifferenceLines
          title="A schimbat celălalt, deja salvat"
          lines={describeDifferences(listDifferences(state.snapshot, state.arrived?.tree ?? []))}
        />
        <DifferenceLines
          title="Ai schimbat tu, încă nesalvat"
          lines={describeDifferences(listDifferences(state.snapshot, state.list))}
        />
      </div>
      <p className="col-span-full text-sm text-muted">
        Ce nu se ciocnește rămâne de la amândoi. Pentru restul alege a cui variantă rămâne.
      </p>
      {conflicts.map((conflict, index) => (
        <Field
          key={conflict.id}
          type="toggle"
          name={`choice${index}`}
          label={nameOf(conflict)}
          look="list"
          options={[
            { value: 'mine', label: 'Varianta mea', help: describeSide(conflict, conflict.mine) },
            { value: 'theirs', label: 'Varianta celuilalt', help: describeSide(conflict, conflict.theirs) },
          ]}
          validation="required"
          validationMessages={{ required: 'Alege a cui variantă rămâne.' }}
          className="col-span-full"
        />
      ))}
    </FormDialog>
  )
}

function nameOf({ id, base, mine, theirs }: MergeConflict): string {
  if (id === ORDER) return 'Ordinea categoriilor'
  const { name, slug } = (base ?? theirs ?? mine)!
  return `${name} (${slug})`
}

function describeSide({ id, properties }: MergeConflict, category: Category | null): string {
  if (id === ORDER) return 'Cum sunt așezate unele după altele'
  if (!category) return 'ștearsă'
  if (properties.length === 0) return `păstrată: ${category.name}`
  // Both parts of a slug are shown as one slug.
  const listed = properties.filter(
    (property: CategoryProperty) => property !== 'part' || !properties.includes('parent'),
  )
  return listed
    .map((property) => `${PROPERTY_NAMES[property]}: ${describeProperty(category, property)}`)
    .join('; ')
}
