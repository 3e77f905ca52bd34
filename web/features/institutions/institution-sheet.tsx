import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { FormSheet } from '../../forms/saved-form/form-sheet.tsx'
import { useSite } from '../../session/use-site.ts'
import { InstitutionFields } from './institution-fields.tsx'
import { type InstitutionValues, readValues } from './institution-values.ts'
import {
  CREATE_INSTITUTION,
  INSTITUTION,
  type InstitutionDetails,
  UPDATE_INSTITUTION,
} from './institutions.queries.ts'

export interface InstitutionSheetProps {
  /** null for a new institution. */
  institution: InstitutionDetails | null
  onClose: () => void
  onSaved: (institution: InstitutionDetails) => void
}

/** The form in which an administrator adds or edits an institution; mounted while it is open. */
export function InstitutionSheet({ institution, onClose, onSaved }: InstitutionSheetProps) {
  /** The institution from which the form was filled; replaced after another user has saved. */
  const [stored, setStored] = useState(institution)
  const { delivery_default: defaultDelivery } = useSite()
  const [create] = useMutation(CREATE_INSTITUTION)
  const [update] = useMutation(UPDATE_INSTITUTION)

  const save = async ({ kind, ...values }: InstitutionValues, release: () => void) => {
    if (kind === null) return
    const input = { ...values, kind }
    const saved = stored
      ? (await update({ variables: { id: stored.id, version: stored.version, institution: input } })).data
          ?.updateInstitution
      : (await create({ variables: { institution: input } })).data?.createInstitution
    if (!saved) return
    release()
    onSaved(saved)
  }
  const reload = async ({ id }: InstitutionDetails) => {
    const query = { query: INSTITUTION, variables: { id }, fetchPolicy: 'network-only' } as const
    const { data } = await client.query(query)
    if (!data) throw new Error('no institution')
    setStored(data.institution)
    return readValues(data.institution)
  }
  return (
    <FormSheet
      title={institution ? 'Editează instituția' : 'Adaugă o instituție'}
      saveLabel={institution ? 'Salvează' : 'Adaugă'}
      stored={readValues(institution, defaultDelivery)}
      onSave={save}
      onReload={institution ? () => reload(institution) : undefined}
      onClose={onClose}
    >
      <InstitutionFields />
    </FormSheet>
  )
}
