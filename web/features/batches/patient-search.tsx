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
  return (
    <div
      className="w-full min-w-52"
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
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
    </div>
  )
}
