import { useMutation } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { useFindInstitutions } from '../users/use-find-institutions.ts'
import { CREATE_REFERRAL } from './patients.queries.ts'

const EMPTY = {
  institutionId: null as string | null,
  doctor: '',
  number: '',
  referredOn: null as string | null,
}

/** Records which institution referred the patient. Mounted while it is open. */
export function ReferralDialog({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const [createReferral] = useMutation(CREATE_REFERRAL)
  const findInstitutions = useFindInstitutions()
  return (
    <FormDialog
      title="Adaugă trimitere"
      saveLabel="Adaugă trimitere"
      stored={EMPTY}
      onSave={async ({ institutionId, ...referral }, release) => {
        if (institutionId === null) return
        await createReferral({ variables: { referral: { ...referral, patientId, institutionId } } })
        release()
        onClose()
      }}
      onClose={onClose}
      className="sm:grid-cols-2"
    >
      <Field
        type="autocomplete"
        name="institutionId"
        label="Instituția"
        validationLabel="Câmpul „Instituția”"
        loadOptions={findInstitutions}
        emptyText="Nicio instituție găsită"
        validation="required"
        className="col-span-full"
        autoFocus
      />
      <Field
        type="text"
        name="doctor"
        label="Medic trimițător"
        maxLength={LIMITS.shortText}
        className="col-span-full"
      />
      <Field type="text" name="number" label="Numărul trimiterii" maxLength={60} />
      <Field type="datepicker" name="referredOn" label="Data trimiterii" />
    </FormDialog>
  )
}
