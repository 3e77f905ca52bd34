import { useMutation } from '@apollo/client/react'
import { type FormEvent, useEffect, useState } from 'react'
import { parseCnp } from '../../../shared/cnp.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { parsePhone } from '../../../shared/phone.ts'
import { formatDate } from '../../../shared/romanian.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { CHANNEL_NAMES, type PatientValues, SEX_NAMES, toldByCnp, withCnp } from './patient-values.ts'
import { FIND_PATIENT_BY_CNP, type KnownPatient } from './patients.queries.ts'

const CNP_DIGITS = 13
const SEX_OPTIONS = Object.entries(SEX_NAMES).map(([id, label]) => ({ id, label }))
const CHANNEL_OPTIONS = [
  { id: 'none', label: 'Fără preferință' },
  ...Object.entries(CHANNEL_NAMES).map(([id, label]) => ({ id, label })),
]

export interface PatientFormProps {
  /** The submit button stands outside the form and names it. */
  id: string
  values: PatientValues
  onChange: (values: PatientValues) => void
  onSubmit: () => void
  /** The server's sentences by field. */
  errors: Record<string, string>
  /** Who else has the CNP that stands in the form. */
  known: KnownPatient | null
  onOpenKnown: (patient: KnownPatient) => void
}

/** The facts of a patient, to be filled in: the CNP first, since it fills in some of the others. */
export function PatientForm(props: PatientFormProps) {
  const { id, values, onChange, errors, known, onOpenKnown } = props
  const told = toldByCnp(values.cnp)
  const set = (change: Partial<PatientValues>) => onChange({ ...values, ...change })
  const text = (field: 'surname' | 'givenNames' | 'previousSurname' | 'locality' | 'county' | 'address') => ({
    value: values[field],
    onChange: (value: string) => set({ [field]: value }),
    error: errors[field],
    maxLength: LIMITS.shortText,
    autoComplete: 'off',
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }

  return (
    <form id={id} onSubmit={submit} noValidate className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <CnpField values={values} onChange={onChange} error={errors.cnp} />
      {known && (
        <Alert
          tone="warning"
          isLive
          title="Pacientul există deja"
          className="sm:col-span-2"
          actions={
            <Button icon="user-check" onPress={() => onOpenKnown(known)}>
              Deschide pacientul
            </Button>
          }
        >
          {known.name}, nr. {known.number}
          {known.birthDate && `, n. ${formatDate(known.birthDate)}`}
        </Alert>
      )}
      <TextField label="Nume" isRequired {...text('surname')} />
      <TextField label="Prenume" isRequired {...text('givenNames')} />
      <DateField
        label="Data nașterii"
        value={values.birthDate}
        onChange={(birthDate) => set({ birthDate })}
        error={errors.birthDate}
        isDisabled={told.birthDate}
        help={told.birthDate && 'Din CNP'}
      />
      <Select
        label="Sex"
        options={SEX_OPTIONS}
        value={values.sex}
        onChange={(sex) => set({ sex })}
        error={errors.sex}
        isDisabled={told.sex}
        help={told.sex && 'Din CNP'}
      />
      <PhoneField value={values.phone} onChange={(phone) => set({ phone })} error={errors.phone} />
      <TextField
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={values.email}
        onChange={(email) => set({ email })}
        error={errors.email}
      />
      <TextField label="Localitate" {...text('locality')} />
      <TextField label="Județ" {...text('county')} />
      <TextField label="Adresă" className="sm:col-span-2" {...text('address')} />
      <TextField label="Nume anterior" {...text('previousSurname')} />
      <Select
        label="Cum preferă să fie anunțat"
        options={CHANNEL_OPTIONS}
        value={values.preferredChannel ?? 'none'}
        onChange={(channel) => set({ preferredChannel: channel === 'none' ? null : channel })}
        error={errors.preferredChannel}
      />
      <TextArea
        label="Note"
        className="sm:col-span-2"
        rows={3}
        maxLength={LIMITS.longText}
        value={values.notes}
        onChange={(notes) => set({ notes })}
        error={errors.notes}
      />
    </form>
  )
}

type CnpFieldProps = Pick<PatientFormProps, 'values' | 'onChange'> & { error: string | undefined }

/** Checked as soon as all the digits are there, or when it is left. */
function CnpField({ values, onChange, error }: CnpFieldProps) {
  const [isLeft, setLeft] = useState(false)
  const { cnp } = values
  const parsed = parseCnp(cnp)
  const isWhole = cnp.replace(/\D/g, '').length >= CNP_DIGITS
  const problem = !parsed.ok && cnp.trim() !== '' && (isLeft || isWhole) ? parsed.message : null
  return (
    <TextField
      label="CNP"
      className="sm:col-span-2"
      autoFocus
      inputMode="numeric"
      autoComplete="off"
      spellCheck="false"
      maxLength={20}
      value={cnp}
      onChange={(next) => {
        setLeft(false)
        onChange(withCnp(values, next))
      }}
      onBlur={() => setLeft(true)}
      error={error ?? problem}
      help="Completează singur data nașterii și sexul. Lasă gol dacă pacientul nu are CNP."
    />
  )
}

function PhoneField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (phone: string) => void
  error: string | undefined
}) {
  const [isLeft, setLeft] = useState(false)
  const parsed = parsePhone(value)
  const problem = !parsed.ok && value.trim() !== '' && isLeft ? parsed.message : null
  return (
    <TextField
      label="Telefon"
      type="tel"
      inputMode="tel"
      autoComplete="off"
      maxLength={40}
      value={value}
      onChange={(next) => {
        setLeft(false)
        onChange(next)
      }}
      onBlur={() => setLeft(true)}
      error={error ?? problem}
    />
  )
}

/** Who already has this CNP, as soon as it is whole; null for `ownId` and while nobody is known. */
export function useKnownPatient(cnp: string, ownId: string | null): KnownPatient | null {
  const [findPatient] = useMutation(FIND_PATIENT_BY_CNP, { fetchPolicy: 'no-cache' })
  const [found, setFound] = useState<{ cnp: string; patient: KnownPatient } | null>(null)
  const parsed = parseCnp(cnp)
  const wanted = parsed.ok ? parsed.cnp : null
  useEffect(() => {
    if (wanted === null) return
    let isCurrent = true
    findPatient({ variables: { cnp: wanted } })
      .then(({ data }) => {
        const patient = data?.findPatientByCnp
        if (isCurrent && patient) setFound({ cnp: wanted, patient })
      })
      // Only a service: saving asks again, and says what went wrong.
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [wanted, findPatient])
  return found && found.cnp === wanted && found.patient.id !== ownId ? found.patient : null
}
