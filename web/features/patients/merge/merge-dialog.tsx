import { useMutation, useQuery } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { SEX_NAMES } from '../../../../shared/romania/cnp.ts'
import { counted, formatDate } from '../../../../shared/romania/romanian.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { Button } from '../../../ui/base/button.tsx'
import { Icon } from '../../../ui/base/icon.tsx'
import { Skeleton } from '../../../ui/base/loading.tsx'
import { Checkbox } from '../../../ui/controls/checkbox.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useFindPatients } from '../use-find-patients.ts'
import { MERGE_PATIENTS, MERGE_PREVIEW, type MergedPatient } from './merge.queries.ts'
import {
  defaultChoice,
  describeContradiction,
  differingFields,
  MERGE_FIELDS,
  type MergeChoices,
} from './merge-fields.ts'

interface MergeDialogProps {
  patientId: string
  /** The user chooses the other patient if there is none. */
  otherId?: string
  onClose: () => void
}

/** Merges two patients. Mounted while it is open. */
export function MergeDialog({ patientId, otherId, onClose }: MergeDialogProps) {
  const [chosenId, setChosenId] = useState(otherId)
  return chosenId === undefined ? (
    <OtherPatientDialog patientId={patientId} onChoose={setChosenId} onClose={onClose} />
  ) : (
    <ComparisonDialog patientId={patientId} otherId={chosenId} onClose={onClose} />
  )
}

function OtherPatientDialog({
  patientId,
  onChoose,
  onClose,
}: {
  patientId: string
  onChoose: (id: string) => void
  onClose: () => void
}) {
  const findPatients = useFindPatients({ except: patientId })
  return (
    <FormDialog
      title="Unește cu alt pacient"
      saveLabel="Compară"
      stored={{ otherId: null as string | null }}
      onSave={async ({ otherId }, release) => {
        if (otherId === null) return
        release()
        onChoose(otherId)
      }}
      onClose={onClose}
    >
      <Field
        type="autocomplete"
        name="otherId"
        label="Celălalt pacient"
        placeholder="Nume, CNP, data nașterii sau telefon"
        help="Îi vezi întâi alături. Nimic nu se schimbă până nu confirmi."
        validationLabel="Câmpul „Celălalt pacient”"
        validation="required"
        loadOptions={findPatients}
        emptyText="Niciun pacient găsit"
        autoFocus
      />
    </FormDialog>
  )
}

/** Shows two patients side by side and merges them, with a choice for each value that differs. */
function ComparisonDialog({
  patientId,
  otherId,
  onClose,
}: {
  patientId: string
  otherId: string
  onClose: () => void
}) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(MERGE_PREVIEW, {
    variables: { survivorId: patientId, mergedId: otherId },
    fetchPolicy: 'network-only',
  })
  const [mergePatients, { loading, error: failure }] = useMutation(MERGE_PATIENTS, {
    refetchQueries: ['PatientPage'],
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  const [survivorId, setSurvivorId] = useState(patientId)
  const [choices, setChoices] = useState<MergeChoices>({})
  const [keepSurname, setKeepSurname] = useState(true)

  const preview = data?.mergePreview
  const pair = preview && [preview.survivor, preview.merged]
  const survivor = pair?.find(({ id }) => id === survivorId) ?? pair?.[0]
  const merged = pair?.find(({ id }) => id !== survivor?.id)
  const fields = survivor && merged ? differingFields(survivor, merged) : []
  const contradiction = survivor && merged ? describeContradiction(survivor, merged) : null
  const chosen = (field: (typeof fields)[number]) =>
    choices[field] ?? defaultChoice(field, survivor!, merged!)
  const canKeepSurname = fields.includes('surname') && !survivor?.previousSurname && !merged?.previousSurname

  const merge = async () => {
    if (!survivor || !merged) return
    try {
      await mergePatients({
        variables: {
          survivorId: survivor.id,
          survivorVersion: survivor.version,
          mergedId: merged.id,
          mergedVersion: merged.version,
          take: fields.filter((field) => chosen(field) === merged.id),
          keepSurname: canKeepSurname && keepSurname,
        },
      })
    } catch {
      // Shown in the dialog. One of them may have changed: the next attempt is made from what is shown then.
      await refetch().catch(() => undefined)
      return
    }
    onClose()
    showToast({
      tone: 'success',
      title: 'Pacienții au fost uniți',
      description: `${merged.name}, nr. ${merged.number}, duce acum la nr. ${survivor.number}.`,
    })
    await navigate({ to: '/patients/$patientId', params: { patientId: survivor.id } })
  }
  const isBlocked = !preview || preview.obstacle !== null
  return (
    <Dialog
      isOpen
      size="lg"
      onOpenChange={() => loading || onClose()}
      isDismissable={false}
      title="Unește doi pacienți"
      actions={
        <>
          <Button onPress={onClose} isDisabled={loading}>
            Anulează
          </Button>
          <Button variant="primary" isPending={loading} isDisabled={isBlocked} onPress={() => void merge()}>
            Unește pacienții
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {(failure ?? error) && (
          <Alert tone="danger" isLive title="Pacienții nu au fost uniți">
            {errorMessage(failure ?? error)}
          </Alert>
        )}
        {preview?.obstacle && (
          <Alert tone="warning" title="Pacienții nu pot fi uniți">
            {preview.obstacle}
          </Alert>
        )}
        {contradiction && !preview?.obstacle && (
          <Alert tone="warning" title={contradiction}>
            Uită-te dacă sunt aceeași persoană: după unire, toate rezultatele stau la un singur pacient.
          </Alert>
        )}
        {!preview && !error && <Skeleton className="h-60" />}
        {preview && survivor && merged && (
          <>
            <Choice
              label="Care rămâne"
              value={survivor.id}
              onChange={(id) => {
                setSurvivorId(id)
                setChoices({})
              }}
              options={[preview.survivor, preview.merged].map((patient, index) => ({
                id: patient.id,
                text: `${patient.name}, nr. ${patient.number}`,
                note: describe(patient, index === 0 ? preview.survivorUploads : preview.mergedUploads),
              }))}
            />
            <p className="text-sm text-muted">
              Trimiterile și încărcările celuilalt trec la pacientul care rămâne, iar adresa lui duce aici.
              Fiecare instituție vede în continuare doar rezultatele cerute de ea. CNP-ul valid rămâne.
            </p>
            {fields.map((field) => (
              <Choice
                key={field}
                label={MERGE_FIELDS[field].label}
                value={chosen(field)}
                onChange={(id) => setChoices((all) => ({ ...all, [field]: id }))}
                options={[preview.survivor, preview.merged].map((patient) => ({
                  id: patient.id,
                  text: MERGE_FIELDS[field].show(patient) || 'necompletat',
                }))}
              />
            ))}
            {canKeepSurname && (
              <Checkbox isSelected={keepSurname} onChange={setKeepSurname}>
                Păstrează celălalt nume ca nume anterior
              </Checkbox>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Who the patient is, and on a second line what the patient has. */
const describe = ({ birthDate, sex, cnpMasked, referrals }: MergedPatient, uploads: number): string => {
  const person = [
    ...(birthDate ? [`n. ${formatDate(birthDate)}`] : []),
    ...(sex ? [SEX_NAMES[sex].toLowerCase()] : []),
    cnpMasked ? `CNP ${cnpMasked}` : 'fără CNP',
  ]
  const counts = [
    counted(referrals.length, 'trimitere', 'trimiteri'),
    counted(uploads, 'încărcare', 'încărcări'),
  ]
  return `${person.join(' · ')}\n${counts.join(' · ')}`
}

interface ChoiceProps {
  label: string
  value: string
  onChange: (id: string) => void
  options: readonly { id: string; text: string; note?: string }[]
}

/** Two values side by side, on a phone one above the other. */
function Choice({ label, value, onChange, options }: ChoiceProps) {
  return (
    <RadioGroup value={value} onChange={onChange} className="grid gap-1.5">
      <Label className="text-sm font-medium">{label}</Label>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map(({ id, text, note }) => (
          <Radio
            key={id}
            value={id}
            className="group/choice hit-area flex cursor-pointer items-start gap-2 rounded-md border border-line-strong/60 px-3 py-2 text-sm transition-colors hover:bg-hover data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus data-selected:border-ink"
          >
            <span className="invisible flex group-data-selected/choice:visible">
              <Icon name="check" size={18} />
            </span>
            <span className="grid min-w-0 gap-0.5">
              <span className="break-words whitespace-pre-line group-data-selected/choice:font-medium">
                {text}
              </span>
              {note && <span className="whitespace-pre-line text-muted tabular-nums">{note}</span>}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
