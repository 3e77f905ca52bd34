import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { useCategoryOptions, withParents } from '../categories/use-category-options.ts'
import { useFindInstitutions } from '../users/use-find-institutions.ts'
import { KIND_NAMES } from './integration-values.ts'
import type { Integration } from './integrations.queries.ts'

/** The form fields of an integration; of the stored one, if there is any. */
export function IntegrationFields({ stored }: { stored?: Integration }) {
  const categories = useCategoryOptions(stored?.category?.slug)
  const findInstitutions = useFindInstitutions()
  return (
    <div className="col-span-full grid gap-7">
      <FieldGroup title="Cine trimite">
        <Field
          type="text"
          name="name"
          label="Nume"
          help="Apare la fișierele pe care le trimite, în locul unei persoane: „Scanner, etajul 1”."
          autoFocus
          validation="required:trim"
          maxLength={LIMITS.shortText}
          className="sm:col-span-2"
        />
        <Field
          type="toggle"
          name="kind"
          label="Fel"
          look="list"
          options={[
            {
              value: 'folder',
              label: KIND_NAMES.folder,
              help: 'Un scanner sau un aparat își salvează documentele într-un folder, de unde sunt trimise.',
            },
            {
              value: 'program',
              label: KIND_NAMES.program,
              help: 'Sistemul laboratorului sau alt program trimite singur fiecare document.',
            },
          ]}
          validation="required"
          className="sm:col-span-2"
        />
        <Field
          type="textarea"
          name="addresses"
          label="Adrese permise"
          help="Câte o adresă IP sau o rețea pe rând, ca 192.168.1.20 sau 192.168.1.0/24. Necompletat: de oriunde."
          rows={2}
          className="sm:col-span-2"
        />
      </FieldGroup>
      <FieldGroup title="Ce trimite">
        <Field
          type="autocomplete"
          name="institutionId"
          label="Instituția"
          help="Pentru rezultatele care nu indică instituția care a trimis pacientul."
          loadOptions={findInstitutions}
          chosen={
            stored?.institution ? { id: stored.institution.id, label: stored.institution.name } : undefined
          }
          emptyText="Nicio instituție găsită"
          className="sm:col-span-2"
        />
        <Field
          type="autocomplete"
          name="categorySlug"
          label="Categoria"
          help="Pentru rezultatele fără categorie."
          options={categories.map(withParents)}
          emptyText="Nicio categorie găsită"
          className="sm:col-span-2"
        />
        <Field
          type="toggle"
          name="submitsToReview"
          label="Trimite direct la verificare"
          help="Oprit: fiecare rezultat așteaptă la „Încărcările mele” până îl trimite cineva la verificare. Pornit: cele la care CNP-ul, numele și data nașterii se potrivesc cu pacientul ajung singure la verificare. Le acceptă și le eliberează tot o persoană."
          className="sm:col-span-2"
        />
      </FieldGroup>
    </div>
  )
}
