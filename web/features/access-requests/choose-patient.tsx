import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { lookUp } from '../../../shared/look-up.ts'
import { queryWords } from '../../../shared/romania/names.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import type { Option } from '../../ui/options/option.ts'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { PatientSheet } from '../patients/patient-sheet.tsx'
import { EMPTY_PATIENT, withCnp } from '../patients/patient-values.ts'
import { CREATE_PATIENT } from '../patients/patients.queries.ts'
import { patientOption, useFindPatients } from '../patients/use-find-patients.ts'
import type { AccessRequest, Candidate } from './access-requests.queries.ts'

/** `disagrees`: what of the request is not the patient's, in words. */
export type ChosenPatient = { id: string; name: string; disagrees: readonly string[] }

const FACT_NAMES: Readonly<Record<string, string>> = {
  cnp: 'CNP-ul',
  name: 'numele',
  'birth-date': 'data nașterii',
}
const nameOf = (what: string): string => lookUp(FACT_NAMES, what) ?? what

/** The patients whom a request may be about, the search for another, and the form of a new one. */
export function ChoosePatient({
  request,
  cnp,
  candidates,
  onChoose,
}: {
  request: AccessRequest
  cnp: string | null
  candidates: readonly Candidate[]
  onChoose: (patient: ChosenPatient) => void
}) {
  const [isAdding, setAdding] = useState(false)
  return (
    <section aria-labelledby="candidates" className="grid gap-4">
      <h3 id="candidates" className="font-semibold">
        Despre cine poate fi
      </h3>
      {candidates.length === 0 ? (
        <p className="text-sm text-muted">Niciun pacient nu se potrivește cu aceste date.</p>
      ) : (
        <ul aria-label="Pacienți propuși" className="divide-y divide-line rounded-lg border border-line">
          {candidates.map((candidate) => (
            <li key={candidate.id} className="px-4 py-3">
              <CandidateRow candidate={candidate} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
      <PatientSearch request={request} candidates={candidates} onChoose={onChoose} />
      <Button icon="user-plus" className="justify-self-start" onPress={() => setAdding(true)}>
        Pacient nou…
      </Button>
      {isAdding && (
        <NewPatient
          request={request}
          cnp={cnp}
          onClose={() => setAdding(false)}
          onCreated={(patient) => {
            setAdding(false)
            onChoose(patient)
          }}
        />
      )}
    </section>
  )
}

function CandidateRow({
  candidate,
  onChoose,
}: {
  candidate: Candidate
  onChoose: (patient: ChosenPatient) => void
}) {
  const { id, name, agrees, disagrees, isReferred } = candidate
  return (
    <div className="grid gap-2">
      <div>
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-muted tabular-nums">{patientOption(candidate).description}</p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        {agrees.map((what) => (
          <StatusPill key={what} icon="check" tone="success">
            {nameOf(what)} se potrivește
          </StatusPill>
        ))}
        {disagrees.map((what) => (
          <StatusPill key={what} icon="close" tone="danger">
            {nameOf(what)} nu se potrivește
          </StatusPill>
        ))}
        {isReferred && (
          <StatusPill icon="hospital" tone="info">
            instituția are deja o trimitere
          </StatusPill>
        )}
      </p>
      <Button
        variant="primary"
        icon="check"
        className="justify-self-start"
        aria-label={`Dă acces la ${name}`}
        onPress={() => onChoose({ id, name, disagrees: disagrees.map(nameOf) })}
      >
        Dă acces…
      </Button>
    </div>
  )
}

/** Returns what of the request is not that of a patient who was not proposed, as the option shows the patient. */
function compareWith({ surname, givenNames, birthDate, cnpMasked }: AccessRequest, option: Option): string[] {
  const words = (text: string) => queryWords(text).toSorted().join(' ')
  const { label, description = '' } = option
  return [
    ...(words(label) === words(`${surname} ${givenNames}`) ? [] : ['name']),
    ...(description.includes(formatDate(birthDate)) ? [] : ['birth-date']),
    ...(cnpMasked && !description.includes(cnpMasked) ? ['cnp'] : []),
  ]
}

function PatientSearch({
  request,
  candidates,
  onChoose,
}: {
  request: AccessRequest
  candidates: readonly Candidate[]
  onChoose: (patient: ChosenPatient) => void
}) {
  const { error, ...source } = useLoadedOptions(useFindPatients())
  return (
    <ComboBox
      {...source}
      label="Alt pacient"
      placeholder="Nume, CNP, telefon sau număr"
      value={null}
      problem={error == null ? null : errorMessage(error)}
      emptyText="Niciun pacient găsit"
      onChange={(id) => {
        const option = source.options.find((each) => each.id === id)
        if (!option) return
        const candidate = candidates.find((each) => each.id === option.id)
        const disagrees = candidate?.disagrees ?? compareWith(request, option)
        onChoose({ id: option.id, name: option.label, disagrees: disagrees.map(nameOf) })
      }}
    />
  )
}

/** The form of a new patient, which begins with what the institution has typed. */
function NewPatient({
  request: { surname, givenNames, birthDate },
  cnp,
  onCreated,
  onClose,
}: {
  request: AccessRequest
  cnp: string | null
  onCreated: (patient: ChosenPatient) => void
  onClose: () => void
}) {
  const [createPatient] = useMutation(CREATE_PATIENT, {
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  return (
    <PatientSheet
      title="Pacient nou"
      saveLabel="Adaugă și alege"
      patientId={null}
      stored={EMPTY_PATIENT}
      start={withCnp({ ...EMPTY_PATIENT, surname, givenNames, birthDate }, cnp ?? '')}
      onClose={onClose}
      onSave={async (patient, release, distinctFrom) => {
        const { data } = await createPatient({ variables: { patient, distinctFrom } })
        if (!data) return
        const { id, name } = data.createPatient
        release()
        onCreated({ id, name, disagrees: [] })
      }}
    />
  )
}
