import { useMutation } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { SEX_NAMES } from '../../../shared/romania/cnp.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { PageHeader, type PageHeaderProps } from '../../ui/page/page-header.tsx'
import { PatientAccessButton } from '../audit/patient-access.tsx'
import { describeAge } from './patient-age.ts'
import { PatientRecordButton } from './patient-record-button.tsx'
import { type Patient, REVEAL_CNP } from './patients.queries.ts'

const today = () => new Date().toLocaleDateString('sv-SE')

export function PatientHeader({
  patient,
  edit,
  actions,
}: {
  patient: Patient
  /** The button that edits the identity, beside the name. */
  edit: ReactNode
  actions: ReactNode
}) {
  const { number, sex, cnpMasked } = patient
  return (
    <PatientHeading
      patient={patient}
      status={edit}
      actions={
        <>
          {actions}
          <PatientAccessButton patientId={patient.id} />
          <PatientRecordButton id={patient.id} number={number} />
        </>
      }
      more={
        <>
          {sex && <span>{SEX_NAMES[sex]}</span>}
          {cnpMasked ? <Cnp patientId={patient.id} masked={cnpMasked} /> : <span>Fără CNP</span>}
        </>
      }
    />
  )
}

/**
 * The name, number and birth date of a patient, as any list knows them; `more` follows them. While the page is loading it has no
 * link, whose focus would be lost when the page arrives.
 */
export function PatientHeading({
  patient: { name, number, birthDate },
  isLoading = false,
  more,
  ...rest
}: {
  patient: Pick<Patient, 'name' | 'number' | 'birthDate'>
  isLoading?: boolean
  more?: ReactNode
} & Pick<PageHeaderProps, 'status' | 'actions'>) {
  return (
    <PageHeader
      title={name}
      crumbs={[{ label: 'Pacienți', link: isLoading ? undefined : { to: '/patients' } }, { label: name }]}
      meta={
        <>
          <span>Nr. {number}</span>
          {birthDate && (
            <span>
              {formatDate(birthDate)} ({describeAge(birthDate, today())})
            </span>
          )}
          {more}
        </>
      }
      {...rest}
    />
  )
}

/** A CNP, masked until the user reveals it; the audit log records each reveal. */
export function Cnp({ patientId, masked }: { patientId: string; masked: string }) {
  const [revealCnp, { loading }] = useMutation(REVEAL_CNP, { fetchPolicy: 'no-cache' })
  const [revealed, setRevealed] = useState<{ masked: string; cnp: string } | null>(null)
  // A CNP that has changed since is masked again.
  const cnp = revealed?.masked === masked ? revealed.cnp : null

  const reveal = async () => {
    try {
      const { data } = await revealCnp({ variables: { patientId } })
      if (data?.revealCnp) setRevealed({ masked, cnp: data.revealCnp })
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu am putut arăta CNP-ul', description: errorMessage(error) })
    }
  }
  return (
    <span className="-my-2.5 inline-flex pointer-coarse:-my-3 items-center gap-1 tabular-nums">
      <span aria-live="polite">CNP {cnp ?? masked}</span>
      <Button
        variant="quiet"
        icon={cnp ? 'eye-off' : 'eye'}
        isPending={loading}
        onPress={() => (cnp ? setRevealed(null) : void reveal())}
      >
        {cnp ? 'Ascunde' : 'Arată'}
      </Button>
    </span>
  )
}
