import { useApolloClient } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { Field } from '../../forms/core/field.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import {
  CREATE_DEPARTMENT,
  type DepartmentLine,
  type DoctorLine,
  UPDATE_DEPARTMENT,
} from './departments.queries.ts'

type Values = { name: string; doctors: string[] }

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
  const stored: Values = {
    name: department?.name ?? '',
    doctors: doctors
      .filter(({ departmentId }) => department && departmentId === department.id)
      .map(({ name }) => name),
  }
  const save = async (values: Values, release: () => void) => {
    if (department) {
      const { id, version } = department
      await client.mutate({ mutation: UPDATE_DEPARTMENT, variables: { id, version, ...values } })
    } else await client.mutate({ mutation: CREATE_DEPARTMENT, variables: { institutionId, ...values } })
    release()
    onSaved()
  }
  return (
    <FormDialog<Values>
      title={department ? 'Editează secția' : 'Secție nouă'}
      size="sm"
      saveLabel="Salvează"
      failureTitle="Secția nu s-a salvat"
      stored={stored}
      onSave={save}
      onClose={onClose}
    >
      <Field
        type="text"
        name="name"
        label="Numele secției"
        validation="required:trim"
        maxLength={LIMITS.departmentName}
        autoFocus
      />
      <Field
        type="autocomplete"
        multiple
        name="doctors"
        label="Medici trimițători"
        help="Cei ai rezultatelor primite până acum. Un medic este în cel mult o secție."
        placeholder="Numele medicului"
        emptyText="Niciun medic găsit"
        options={doctors.map((doctor) => ({
          id: doctor.name,
          label: doctor.name,
          description: departments.find(({ id }) => id === doctor.departmentId)?.name,
        }))}
      />
    </FormDialog>
  )
}
