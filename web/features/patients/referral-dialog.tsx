import { useMutation } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import type { Option } from '../../ui/options/option.ts'
import { useFindInstitutions } from '../users/use-find-institutions.ts'
import { CREATE_REFERRAL, type Referral } from './patients.queries.ts'
import { type ReferralValues, useUpdateReferral, valuesOfReferral } from './use-update-referral.ts'

/** Records which institution referred the patient. Mounted while it is open. */
export function AddReferralDialog({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const [createReferral] = useMutation(CREATE_REFERRAL)
  return (
    <FormDialog
      title="Adaugă trimitere"
      saveLabel="Adaugă trimitere"
      stored={valuesOfReferral(null)}
      onSave={async ({ institutionId, doctor, number, referredOn }, release) => {
        if (institutionId === null) return
        await createReferral({
          variables: { referral: { doctor, number, referredOn, patientId, institutionId } },
        })
        release()
        onClose()
      }}
      onClose={onClose}
      className="sm:grid-cols-2"
    >
      <DetailFields />
    </FormDialog>
  )
}

interface ReferralDialogProps {
  patientId: string
  referral: Referral
  onClose: () => void
}

/** Corrects a referral; of an ended one also its end. Mounted while it is open. */
export function EditReferralDialog({ patientId, referral: shown, onClose }: ReferralDialogProps) {
  const { referral, update, reload } = useUpdateReferral(patientId, shown)
  return (
    <FormDialog
      title="Editează trimiterea"
      saveLabel="Salvează"
      stored={valuesOfReferral(referral)}
      onReload={reload}
      onSave={async (values) => {
        await update(values, 'Trimiterea a fost salvată')
        onClose()
      }}
      onClose={onClose}
      className="sm:grid-cols-2"
    >
      <DetailFields chosen={{ id: referral.institutionId, label: referral.institutionName }} />
      {referral.endedOn && <EndFields />}
      <OtherInstitutionNote referral={referral} />
    </FormDialog>
  )
}

function DetailFields({ chosen }: { chosen?: Option }) {
  const findInstitutions = useFindInstitutions()
  return (
    <>
      <Field
        type="autocomplete"
        name="institutionId"
        label="Instituția"
        validationLabel="Câmpul „Instituția”"
        loadOptions={findInstitutions}
        chosen={chosen}
        emptyText="Nicio instituție găsită"
        validation="required"
        className="col-span-full"
        // React Aria would not write the chosen name into a field that already has the focus.
        autoFocus={!chosen}
      />
      <Field
        type="text"
        name="doctor"
        label="Medic trimițător"
        maxLength={LIMITS.shortText}
        className="col-span-full"
        autoFocus={Boolean(chosen)}
      />
      <Field type="text" name="number" label="Numărul trimiterii" maxLength={60} />
      <Field type="datepicker" name="referredOn" label="Data trimiterii" />
    </>
  )
}

function EndFields() {
  return (
    <>
      <Field type="datepicker" name="endedOn" label="Încheiată la" className="col-span-full" />
      <Field
        type="checkbox"
        name="isMistaken"
        label="A fost adăugată din greșeală"
        help="Instituția nu mai vede prin ea nici rezultatele, nici pacientul."
        className="col-span-full"
      />
    </>
  )
}

function OtherInstitutionNote({ referral }: { referral: Referral }) {
  const { values } = useForm<ReferralValues>()
  if (!values.institutionId || values.institutionId === referral.institutionId) return null
  return (
    <Alert tone="warning" title="Se schimbă cine vede pacientul" className="col-span-full">
      {referral.institutionName} nu mai vede nimic prin această trimitere. Instituția aleasă vede pacientul și
      rezultatele care sunt pentru ea.
    </Alert>
  )
}

/** Ends a referral today or on an earlier day. Mounted while it is open. */
export function EndReferralDialog({ patientId, referral: shown, onClose }: ReferralDialogProps) {
  const { referral, update, reload } = useUpdateReferral(patientId, shown)
  const { endedOn, isMistaken } = valuesOfReferral(referral)
  const pick = (values: ReferralValues) => ({ endedOn: values.endedOn, isMistaken: values.isMistaken })
  return (
    <FormDialog
      title="Încheie trimiterea"
      saveLabel="Încheie trimiterea"
      stored={{ endedOn, isMistaken }}
      start={{ endedOn: todayInRomania(), isMistaken: false }}
      onReload={async () => pick(await reload())}
      onSave={async (values) => {
        await update(
          { ...values, endedOn: values.endedOn ?? todayInRomania() },
          'Trimiterea a fost încheiată',
        )
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-sm">
        {referral.institutionName} vede în continuare ce i-a fost eliberat până la încheiere și nimic din ce
        se eliberează după. Trimiterea se poate redeschide.
      </p>
      <EndFields />
    </FormDialog>
  )
}

/** Asks before an ended referral shows everything again. Mounted while it is open. */
export function ReopenReferralDialog({ patientId, referral: shown, onClose }: ReferralDialogProps) {
  const { referral, update, reload } = useUpdateReferral(patientId, shown)
  return (
    <FormDialog
      title="Redeschide trimiterea"
      saveLabel="Redeschide"
      role="alertdialog"
      stored={{}}
      onReload={async () => {
        await reload()
        return {}
      }}
      onSave={async () => {
        await update({ endedOn: null, isMistaken: false }, 'Trimiterea a fost redeschisă')
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        {referral.institutionName} vede din nou pacientul și toate rezultatele care sunt pentru ea, și pe cele
        eliberate între timp.
      </p>
    </FormDialog>
  )
}
