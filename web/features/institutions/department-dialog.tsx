import { useApolloClient } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import {
  CREATE_DEPARTMENT,
  type DepartmentLine,
  type DoctorLine,
  UPDATE_DEPARTMENT,
} from './departments.queries.ts'

const FORM = 'department'

/** Names a department and chooses its doctors, who leave the department in which they were. */
export function DepartmentDialog({
  institutionId,
  department,
  doctors,
  departments,
  onClose,
  onSaved,
}: {
  institutionId: string
  /** null: a new one. */
  department: DepartmentLine | null
  doctors: readonly DoctorLine[]
  departments: readonly DepartmentLine[]
  onClose: () => void
  onSaved: () => void
}) {
  const client = useApolloClient()
  const [name, setName] = useState(department?.name ?? '')
  const [chosen, setChosen] = useState<string[]>(
    doctors
      .filter(({ departmentId }) => department && departmentId === department.id)
      .map((doctor) => doctor.name),
  )
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const nameError = fieldErrors(error).name
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    setError(null)
    try {
      const values = { name, doctors: chosen }
      if (department) {
        const { id, version } = department
        await client.mutate({ mutation: UPDATE_DEPARTMENT, variables: { id, version, ...values } })
      } else await client.mutate({ mutation: CREATE_DEPARTMENT, variables: { institutionId, ...values } })
      onSaved()
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  return (
    <Dialog
      title={department ? 'Editează secția' : 'Secție nouă'}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button type="submit" form={FORM} variant="primary" isPending={isPending}>
            Salvează
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        {error !== null && !nameError && (
          <Alert tone="danger" isLive title="Secția nu s-a salvat">
            {errorMessage(error)}
          </Alert>
        )}
        <TextField
          label="Numele secției"
          isRequired
          autoFocus
          maxLength={LIMITS.departmentName}
          value={name}
          onChange={setName}
          error={nameError}
        />
        <ComboBox
          isMultiple
          label="Medici trimițători"
          help="Cei ai rezultatelor primite până acum. Un medic este în cel mult o secție."
          placeholder="Numele medicului"
          emptyText="Niciun medic găsit"
          options={doctors.map((doctor) => ({
            id: doctor.name,
            label: doctor.name,
            description: departments.find(({ id }) => id === doctor.departmentId)?.name,
          }))}
          value={chosen}
          onChange={setChosen}
        />
      </form>
    </Dialog>
  )
}
