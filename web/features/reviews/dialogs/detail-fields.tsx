import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { useCategoryOptions, withPath } from '../../categories/use-category-options.ts'

/** The fields of an upload's examination, before the verdict and after it. */
export function DetailFields({ categorySlug }: { categorySlug: string | undefined }) {
  const categories = useCategoryOptions(categorySlug)
  return (
    <>
      <Field
        type="autocomplete"
        name="categorySlug"
        label="Categorie"
        placeholder="Alege categoria"
        options={categories.map(withPath)}
        emptyText="Nicio categorie găsită"
      />
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field type="text" name="referringDoctor" label="Medic trimițător" maxLength={LIMITS.shortText} />
      <Field type="text" name="accessionNumber" label="Nr. examinare" maxLength={60} />
    </>
  )
}
