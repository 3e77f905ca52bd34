import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { useForm } from '../../forms/core/form.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { Option } from '../../ui/options/option.ts'
import { ROLE_OPTIONS, STAFF_FEATURES } from './account-labels.ts'
import { useFindInstitutions } from './use-find-institutions.ts'
import type { UserValues } from './user-values.ts'

/** The form fields of an account: details and rights. */
export function UserFields({
  isNew = false,
  isOwn = false,
  institutions = [],
}: {
  isNew?: boolean | undefined
  /**
   * Whether it is the administrator's own account; fields that only another administrator may change are left
   * out.
   */
  isOwn?: boolean | undefined
  /** The institutions selected at first. */
  institutions?: readonly Option[] | undefined
}) {
  return (
    <div className="col-span-full grid gap-7">
      <FieldGroup title="Persoană">
        <Field
          type="text"
          name="name"
          label="Nume"
          help="Nume și prenume, cum le citesc colegii."
          autoFocus
          validation="required:trim"
          maxLength={LIMITS.shortText}
          className="sm:col-span-2"
        />
        {!isOwn && (
          <Field
            type="email"
            name="email"
            label="E-mail"
            help={
              isNew
                ? 'Cu această adresă se autentifică.'
                : 'Cu aceasta se autentifică. Dacă o schimbi, cine folosea contul este deconectat și parola lui nu mai merge; la adresa nouă pleacă un link pentru altă parolă.'
            }
            inputMode="email"
            validation="required:trim|email"
            maxLength={254}
            className="sm:col-span-2"
          />
        )}
        <Field type="text" name="jobTitle" label="Funcția" maxLength={LIMITS.shortText} />
        <Field type="phone" name="phone" label="Telefon" />
      </FieldGroup>
      {isOwn ? (
        <Alert tone="info">
          Adresa de e-mail, rolul și drepturile tale le poate schimba doar alt administrator.
        </Alert>
      ) : (
        <RightsFields institutions={institutions} />
      )}
    </div>
  )
}

function RightsFields({ institutions }: { institutions: readonly Option[] }) {
  const { role } = useForm<UserValues>().values
  const findInstitutions = useFindInstitutions()
  return (
    <FieldGroup title="Drepturi">
      <Field
        type="toggle"
        name="role"
        label="Rol"
        options={ROLE_OPTIONS}
        validation="required"
        className="sm:col-span-2"
      />
      {role === 'staff' && (
        <Field
          type="toggle"
          name="features"
          label="Ce poate face"
          help="Pe lângă acestea, oricine din personal vede pacienții și instituțiile și trimite fișiere."
          options={STAFF_FEATURES}
          multiple
          className="sm:col-span-2"
        />
      )}
      {role === 'institution' && (
        <Field
          type="autocomplete"
          name="institutionIds"
          label="Instituții"
          help="Vede ce au primit acestea și nimic altceva."
          multiple
          loadOptions={findInstitutions}
          chosen={institutions}
          emptyText="Nicio instituție găsită"
          validation="required"
          className="sm:col-span-2"
        />
      )}
    </FieldGroup>
  )
}
