import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { useFindPatients } from '../patients/use-find-patients.ts'
import type { GroupPatient } from './group-facts.ts'

/** The search of a patient in a row: at first those whom the files propose. */
export function PatientSearch({
  fileName,
  proposed,
  onChoose,
  onCancel,
}: {
  fileName: string
  proposed: readonly GroupPatient[]
  onChoose: (patient: GroupPatient) => void
  onCancel: () => void
}) {
  const find = useFindPatients()
  const load: typeof find = async (search, after) =>
    search === '' && proposed.length > 0
      ? { options: proposed.map(({ name, ...each }) => ({ ...each, label: name })), next: null }
      : find(search, after)
  const { error, ...source } = useLoadedOptions(load)
  /** Whether Enter was pressed on nothing. */
  const [isNothing, setNothing] = useState(false)
  return (
    <div
      className="w-full min-w-52"
      onKeyDownCapture={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
          return
        }
        // The field would close its list.
        const isOnNothing = event.key === 'Enter' && isEmptyWithoutOption(event.target)
        if (isOnNothing) {
          event.stopPropagation()
          event.preventDefault()
        }
        setNothing(isOnNothing)
      }}
    >
      <ComboBox
        {...source}
        label={`Pacientul pentru ${fileName}`}
        hideLabel
        autoFocus
        placeholder="Nume, CNP, data nașterii sau telefon"
        value={null}
        problem={error == null ? null : errorMessage(error)}
        emptyText="Niciun pacient găsit"
        onChange={(id) => {
          const option = source.options.find((each) => each.id === id)
          if (option) onChoose({ id: option.id, name: option.label, description: option.description ?? '' })
        }}
        onBlur={onCancel}
      />
      <p role="status" className="text-xs text-danger">
        {isNothing &&
          (proposed.length > 0
            ? 'Nu s-a ales nimeni: mergi cu ↓ pe un pacient propus, apoi Enter.'
            : 'Nu s-a ales nimeni: scrie numele sau CNP-ul, apoi Enter.')}
      </p>
    </div>
  )
}

/** Whether a field has no text, and none of its options has the focus. */
const isEmptyWithoutOption = (field: EventTarget): boolean =>
  field instanceof HTMLInputElement && field.value === '' && !field.hasAttribute('aria-activedescendant')
