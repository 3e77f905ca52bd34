import type { Category, SlugMoves } from '../../../shared/uploads/categories.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { uploadCount } from './category-labels.ts'
import { planMoves, type RemovedSlug } from './removed-slugs.ts'
import { useCategoryOptions, withPath } from './use-category-options.ts'

/** The value for uploads that keep their slug; no slug has an empty part. */
const KEEP_SLUG = '::'

interface RemovedSlugsDialogProps {
  removedSlugs: readonly RemovedSlug[]
  /** The number of uploads by slug; only removed slugs with uploads are shown. */
  counts: ReadonlyMap<string, number>
  /** Rejects with the server's error. */
  onSave: (moves: SlugMoves) => Promise<unknown>
  onClose: () => void
}

/** Asks, before slugs with uploads are removed, where the uploads of each go. */
export function RemovedSlugsDialog({ removedSlugs, counts, onSave, onClose }: RemovedSlugsDialogProps) {
  const options = useCategoryOptions().map(withPath)
  const used = removedSlugs.filter(({ was }) => counts.has(was.slug))
  const total = used.reduce((sum, { was }) => sum + counts.get(was.slug)!, 0)
  const initialValues: Record<string, string | null> = Object.fromEntries(
    used.map(({ now }, index) => [`to${index}`, now?.slug ?? null]),
  )
  const save = async (values: Record<string, string | null>, release: () => void) => {
    const chosenTargets = new Map(
      used.map(({ was }, index) => {
        const to = values[`to${index}`] ?? null
        return [was.slug, to === KEEP_SLUG ? null : to]
      }),
    )
    release()
    await onSave(planMoves(removedSlugs, chosenTargets))
  }
  return (
    <FormDialog
      title="Unde merg încărcările?"
      saveLabel="Salvează categoriile"
      stored={initialValues}
      onSave={save}
      onClose={onClose}
      failureTitle="Categoriile nu s-au salvat"
    >
      <p className="col-span-full text-sm text-muted">
        {`${uploadCount(total)} au un slug care nu mai este în listă. Adresele vechi găsesc mai departe ce se mută.`}
      </p>
      {used.map(({ was, now }, index) => (
        <Field
          key={was.slug}
          type="dropdown"
          name={`to${index}`}
          label={`${was.name}: ${uploadCount(counts.get(was.slug)!)}`}
          help={explain(was, now)}
          placeholder="Alege unde merg"
          search
          options={[{ id: KEEP_SLUG, label: `Rămân sub „${was.slug}”, în afara listei` }, ...options]}
          validation="required"
          validationMessages={{ required: 'Alege unde merg încărcările.' }}
          className="col-span-full"
        />
      ))}
    </FormDialog>
  )
}

const explain = (was: Category, now: Category | null): string =>
  now ? `Slugul „${was.slug}” devine „${now.slug}”.` : `Categoria „${was.slug}” se șterge.`
