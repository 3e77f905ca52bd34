import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { FieldGroup } from '../../forms/core/field-group.tsx'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { ContactFields, DeliveryField } from './institution-fields.tsx'
import { type InstitutionValues, readValues } from './institution-values.ts'
import { type InstitutionDetails, OWN_INSTITUTIONS, UPDATE_OWN_INSTITUTION } from './institutions.queries.ts'

type Profile = Pick<
  InstitutionValues,
  'county' | 'locality' | 'address' | 'phone' | 'email' | 'contacts' | 'delivery'
>

const readProfile = (institution: InstitutionDetails): Profile => {
  const { county, locality, address, phone, email, contacts, delivery } = readValues(institution)
  return { county, locality, address, phone, email, contacts, delivery }
}

/** The form in which a user edits the contact data and the notification of the own institution. */
export function OwnInstitutionSheet({
  institution,
  onClose,
  onSaved,
}: {
  institution: InstitutionDetails
  onClose: () => void
  onSaved: () => void
}) {
  /** The institution from which the form was filled; replaced after a colleague has saved. */
  const [stored, setStored] = useState(institution)
  const [update] = useMutation(UPDATE_OWN_INSTITUTION)

  const reload = async () => {
    const { data } = await client.query({ query: OWN_INSTITUTIONS, fetchPolicy: 'network-only' })
    const found = data?.ownInstitutions.find(({ id }) => id === institution.id)
    if (!found) throw new Error('no institution')
    setStored(found)
    return readProfile(found)
  }
  return (
    <FormSheet
      title="Datele instituției"
      saveLabel="Salvează"
      stored={readProfile(stored)}
      onSave={async (profile: Profile, release) => {
        await update({ variables: { id: stored.id, version: stored.version, profile } })
        release()
        onSaved()
      }}
      onReload={reload}
      onClose={onClose}
    >
      <div className="col-span-full grid gap-7">
        <ContactFields />
        <FieldGroup title="Rezultate">
          <DeliveryField />
        </FieldGroup>
      </div>
    </FormSheet>
  )
}
