import { useMutation, useQuery } from '@apollo/client/react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CREATE_REFERRAL, REFERRING_INSTITUTIONS } from './patients.queries.ts'

/** Notes which institution referred the patient. Mounted while it is open. */
export function ReferralDialog({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const formId = useId()
  const [createReferral, { loading, error }] = useMutation(CREATE_REFERRAL)
  const [institutionId, setInstitutionId] = useState<string | null>(null)
  const [doctor, setDoctor] = useState('')
  const [number, setNumber] = useState('')
  const [referredOn, setReferredOn] = useState<string | null>(null)
  const [isChosen, setChosen] = useState(true)
  const isUnderWay = useRef(false)
  const errors = fieldErrors(error)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setChosen(institutionId !== null)
    if (institutionId === null || isUnderWay.current) return
    isUnderWay.current = true
    try {
      await createReferral({
        variables: { referral: { patientId, institutionId, doctor, number, referredOn } },
      })
      onClose()
    } catch {
      // `error` above has it.
      isUnderWay.current = false
    }
  }

  return (
    <Dialog
      isOpen
      isDismissable={false}
      onOpenChange={onClose}
      title="Adaugă trimitere"
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="primary" type="submit" form={formId} isPending={loading}>
            Adaugă trimitere
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} noValidate className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="danger" isLive title="Nu s-a salvat" className="sm:col-span-2">
            {errorMessage(error)}
          </Alert>
        )}
        <InstitutionField
          value={institutionId}
          onChange={setInstitutionId}
          error={errors.institutionId ?? (isChosen || institutionId ? null : 'Instituția este necesară.')}
        />
        <TextField
          label="Medic trimițător"
          className="sm:col-span-2"
          autoComplete="off"
          maxLength={LIMITS.shortText}
          value={doctor}
          onChange={setDoctor}
          error={errors.doctor}
        />
        <TextField
          label="Numărul trimiterii"
          autoComplete="off"
          maxLength={60}
          value={number}
          onChange={setNumber}
          error={errors.number}
        />
        <DateField
          label="Data trimiterii"
          value={referredOn}
          onChange={setReferredOn}
          error={errors.referredOn}
        />
      </form>
    </Dialog>
  )
}

function InstitutionField({
  value,
  onChange,
  error,
}: {
  value: string | null
  onChange: (id: string | null) => void
  error: string | null
}) {
  const [search, setSearch] = useState('')
  const { data, previousData, loading } = useQuery(REFERRING_INSTITUTIONS, { variables: { search } })
  const options = ((data ?? previousData)?.institutions.nodes ?? []).map((institution) => ({
    id: institution.id,
    label: institution.name,
    description: [institution.shortName, institution.locality, institution.suspendedAt && 'suspendată']
      .filter(Boolean)
      .join(' · '),
    isDisabled: institution.suspendedAt !== null,
  }))
  return (
    <ComboBox
      label="Instituția"
      className="sm:col-span-2"
      isRequired
      autoFocus
      options={options}
      value={value}
      onChange={onChange}
      // Choosing writes the name into the field; that is no new question.
      onSearch={(text) => setSearch(options.some(({ label }) => label === text) ? '' : text)}
      isLoading={loading}
      emptyText="Nicio instituție găsită"
      error={error}
    />
  )
}
