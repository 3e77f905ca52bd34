import { useMutation } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { ACCESS_REFUSAL_NAMES, type AccessRefusal } from '../../../shared/requests/access-requests.ts'
import { Field } from '../../forms/core/field.ts'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import {
  ACCEPT_ACCESS_REQUEST,
  type AccessRequest,
  REFUSE_ACCESS_REQUEST,
} from './access-requests.queries.ts'
import type { ChosenPatient } from './choose-patient.tsx'

interface DecisionProps {
  request: AccessRequest
  onClose: () => void
  onDecided: () => void
}

const list = new Intl.ListFormat('ro', { type: 'conjunction' })

/** Gives the institution a referral of the chosen patient. Mounted while it is open. */
export function AcceptDialog({
  request,
  patient,
  onClose,
  onDecided,
}: DecisionProps & { patient: ChosenPatient }) {
  const [accept] = useMutation(ACCEPT_ACCESS_REQUEST)
  const { id, institutionName, doctor, number } = request
  const stored = { doctor: doctor ?? '', number: number ?? '', referredOn: null as string | null }
  return (
    <FormDialog
      title={`Dai acces la ${patient.name}?`}
      saveLabel="Acceptă cererea"
      failureTitle="Cererea nu a fost acceptată"
      stored={stored}
      onSave={async (values, release) => {
        await accept({ variables: { id, patientId: patient.id, ...values } })
        showToast({
          tone: 'success',
          title: 'Cerere acceptată',
          description: `${institutionName}, ${patient.name}`,
        })
        release()
        onDecided()
      }}
      onClose={onClose}
      className="sm:grid-cols-2"
    >
      <p className="col-span-full text-sm">
        {institutionName} primește o trimitere: vede pacientul și rezultatele lui care sunt pentru ea.
      </p>
      {patient.disagrees.length > 0 && (
        <Alert tone="warning" title="Nu se potrivește tot" className="col-span-full">
          În cerere {patient.disagrees.length > 1 ? 'nu se potrivesc' : 'nu se potrivește'}:{' '}
          {list.format(patient.disagrees)}.
        </Alert>
      )}
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

/** Refuses a request with a reason that the institution reads. Mounted while it is open. */
export function RefuseDialog({ request: { id, institutionName }, onClose, onDecided }: DecisionProps) {
  const [refuse] = useMutation(REFUSE_ACCESS_REQUEST)
  return (
    <FormDialog<{ refusal: AccessRefusal; note: string }>
      title="Refuzi cererea?"
      saveLabel="Refuză cererea"
      failureTitle="Cererea nu a fost refuzată"
      stored={{ refusal: 'neutral', note: '' }}
      onSave={async (values, release) => {
        await refuse({ variables: { id, ...values } })
        showToast({ tone: 'success', title: 'Cerere refuzată', description: institutionName })
        release()
        onDecided()
      }}
      onClose={onClose}
    >
      <Field
        type="dropdown"
        name="refusal"
        label="Motivul"
        options={nameOptions(ACCESS_REFUSAL_NAMES)}
        validation="required"
      />
      <Field
        type="textarea"
        name="note"
        label="Text pentru instituție"
        help="Opțional. Nu scrie dacă pacientul este sau nu în evidență."
        rows={3}
        maxLength={LIMITS.accessPurpose}
      />
    </FormDialog>
  )
}
