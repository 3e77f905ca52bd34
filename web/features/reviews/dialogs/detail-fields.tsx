import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { useCategoryOptions, withParents } from '../../categories/use-category-options.ts'
import { UPLOAD, type Upload } from '../upload.queries.ts'

/** The values that are changed before the verdict and corrected after it. */
export type Details = {
  institutionId: string | null
  categorySlug: string | null
  title: string
  examinedOn: string | null
  referringDoctor: string
  accessionNumber: string
}

export const detailsOf = (upload: Upload): Details => ({
  institutionId: upload.institution?.id ?? null,
  categorySlug: upload.category?.slug ?? null,
  title: upload.title,
  examinedOn: upload.examinedOn,
  referringDoctor: upload.referringDoctor ?? '',
  accessionNumber: upload.accessionNumber ?? '',
})

/**
 * Returns the version on which a form is based, and `reload`, which moves it to the present one: saves of other users
 * meanwhile are merged, not overwritten.
 */
export function useFormVersion<Values>(upload: Upload, valuesOf: (upload: Upload) => Values) {
  const client = useApolloClient()
  const [version, setVersion] = useState(upload.version)
  const reload = async (): Promise<Values> => {
    const query = { query: UPLOAD, variables: { id: upload.id }, fetchPolicy: 'network-only' } as const
    const { data } = await client.query(query)
    if (!data) throw new Error('no upload')
    setVersion(data.upload.version)
    return valuesOf(data.upload)
  }
  return { version, reload }
}

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
        options={categories.map(withParents)}
        emptyText="Nicio categorie găsită"
      />
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field type="text" name="referringDoctor" label="Medic trimițător" maxLength={LIMITS.shortText} />
      <Field type="text" name="accessionNumber" label="Nr. examinare" maxLength={60} />
    </>
  )
}

/** The note of an upload. */
export const NoteField = () => (
  <Field
    type="textarea"
    name="note"
    label="Notă"
    help="O văd doar colegii, nu și instituția."
    rows={3}
    maxLength={LIMITS.longText}
  />
)
