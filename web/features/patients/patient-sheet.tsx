import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { errorCode, errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { useLeaveWarning } from '../../ui/leave-warning.tsx'
import { PatientForm, useKnownPatient } from './patient-form.tsx'
import { isChanged, mergeChanges, type PatientValues } from './patient-values.ts'
import type { KnownPatient } from './patients.queries.ts'

export interface PatientSheetProps {
  title: string
  saveLabel: string
  /** null: somebody new. */
  patientId: string | null
  /** What is stored. */
  stored: PatientValues
  /** What stands in the form at first, where that is more than what is stored. */
  start?: PatientValues | undefined
  /** Rejects with the server's refusal. `release` before going elsewhere: what was typed is saved. */
  onSave: (values: PatientValues, release: () => void) => Promise<void>
  /** What is stored by now, after somebody else has saved. */
  onReload?: (() => Promise<PatientValues>) | undefined
  onClose: () => void
}

/** The form of a patient at the side of the page. Mounted while it is open. */
export function PatientSheet(props: PatientSheetProps) {
  const { title, saveLabel, patientId, start, onSave, onReload, onClose } = props
  const formId = useId()
  const navigate = useNavigate()
  const [stored, setStored] = useState(props.stored)
  const [values, setValues] = useState(start ?? props.stored)
  const [failure, setFailure] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const isUnderWay = useRef(false)
  const known = useKnownPatient(values.cnp, patientId)
  const warning = useLeaveWarning(isChanged(values, stored))
  const errors = fieldErrors(failure)
  const isConflict = errorCode(failure) === 'CONFLICT'
  useFocusOnError(formId, failure)

  async function run(work: () => Promise<void>) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setSaving(true)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    }
    isUnderWay.current = false
    setSaving(false)
  }

  const save = () => {
    if (known) return
    setFailure(null)
    void run(() => onSave(values, warning.release))
  }
  const takeTheirs = () =>
    run(async () => {
      if (!onReload) return
      const theirs = await onReload()
      setValues(mergeChanges(stored, values, theirs))
      setStored(theirs)
      setFailure(null)
    })
  const change = (next: PatientValues) => {
    setValues(next)
    if (!isConflict) setFailure(null)
  }
  const openKnown = ({ id }: KnownPatient) => {
    warning.release()
    void navigate({ to: '/patients/$patientId', params: { patientId: id } })
  }
  const close = () => warning.leave(onClose)

  return (
    <>
      <SideSheet
        isOpen
        onOpenChange={close}
        isDismissable={false}
        title={title}
        actions={
          <>
            <Button onPress={close}>Anulează</Button>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              isPending={isSaving}
              isDisabled={known !== null || isConflict}
            >
              {saveLabel}
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          {isConflict && (
            <Alert
              tone="warning"
              isLive
              title="Altcineva a modificat între timp acest pacient"
              actions={
                <Button icon="refresh" onPress={takeTheirs} isPending={isSaving}>
                  Preia datele noi
                </Button>
              }
            >
              Modificările tale rămân în formular; celelalte câmpuri se actualizează. Verifică, apoi salvează
              din nou.
            </Alert>
          )}
          {failure !== null && !isConflict && Object.keys(errors).length === 0 && (
            <Alert tone="danger" isLive title="Nu s-a salvat">
              {errorMessage(failure)}
            </Alert>
          )}
          <PatientForm
            id={formId}
            values={values}
            onChange={change}
            onSubmit={save}
            errors={errors}
            known={known}
            onOpenKnown={openKnown}
          />
        </div>
      </SideSheet>
      {warning.dialog}
    </>
  )
}

/** The first field that the server refused gets the focus. */
function useFocusOnError(formId: string, failure: unknown) {
  useEffect(() => {
    if (failure === null) return
    const form = document.getElementById(formId)
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [formId, failure])
}
