import { useMutation } from '@apollo/client/react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { errorCode, errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { useLeaveWarning } from '../../ui/leave-warning.tsx'
import { InstitutionForm } from './institution-form.tsx'
import {
  changedFields,
  checkValues,
  FIELD_LABELS,
  type InstitutionField,
  type InstitutionValues,
  mergeValues,
  readValues,
} from './institution-values.ts'
import {
  CREATE_INSTITUTION,
  INSTITUTION,
  type InstitutionFacts,
  UPDATE_INSTITUTION,
} from './institutions.queries.ts'

type Problem = { tone: 'danger' | 'warning'; title: string; text: string }
type Errors = Partial<Record<InstitutionField, string>>

export interface InstitutionSheetProps {
  /** null: a new one. */
  institution: InstitutionFacts | null
  onClose: () => void
  onSaved: (institution: InstitutionFacts) => void
}

/** An administrator enters an institution or changes one; stands while it is open. */
export function InstitutionSheet({ institution, onClose, onSaved }: InstitutionSheetProps) {
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  /** What the form was filled from; another one after somebody else has saved. */
  const [stored, setStored] = useState(institution)
  const [values, setValues] = useState(() => readValues(institution))
  const [left, setLeft] = useState<ReadonlySet<InstitutionField>>(new Set())
  const [refused, setRefused] = useState<Errors>({})
  const [problem, setProblem] = useState<Problem | null>(null)
  const [refusals, setRefusals] = useState(0)
  const [create, creating] = useMutation(CREATE_INSTITUTION)
  const [update, updating] = useMutation(UPDATE_INSTITUTION)
  const isPending = creating.loading || updating.loading
  const warning = useLeaveWarning(changedFields(readValues(stored), values).length > 0)

  const faults = checkValues(values)
  const shown = Object.fromEntries(
    Object.entries(faults).filter(([field]) => left.has(field as InstitutionField)),
  )

  // After a refusal the keyboard stands where something is to be mended.
  useEffect(() => {
    if (refusals > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus()
  }, [refusals])

  const refuse = (title: string, text: string, errors: Errors = {}) => {
    setRefused(errors)
    setProblem({ tone: 'danger', title, text })
    setRefusals((count) => count + 1)
  }

  const change = (change: Partial<InstitutionValues>) => {
    setValues((before) => ({ ...before, ...change }))
    setRefused((before) => {
      const fields = Object.keys(change) as InstitutionField[]
      return Object.fromEntries(
        Object.entries(before).filter(([field]) => !fields.includes(field as InstitutionField)),
      )
    })
  }

  const takeOver = async (id: string) => {
    const { data } = await client.query({
      query: INSTITUTION,
      variables: { id },
      fetchPolicy: 'network-only',
    })
    if (!data) return
    const { values: merged, both } = mergeValues(readValues(stored), values, readValues(data.institution))
    setStored(data.institution)
    setValues(merged)
    const names = both.map((field) => `„${FIELD_LABELS[field]}”`).join(', ')
    setProblem({
      tone: 'warning',
      title: 'Altcineva a salvat între timp',
      text: names
        ? `Ce ai scris a rămas; în rest sunt valorile noi. Amândoi ați schimbat ${names}: dacă salvezi, rămâne varianta ta.`
        : 'Ce ai scris a rămas; în rest sunt valorile noi. Verifică și salvează din nou.',
    })
  }

  const save = async () => {
    setProblem(null)
    const input = toInput(values, stored)
    try {
      const saved = stored
        ? (await update({ variables: { id: stored.id, version: stored.version, institution: input } })).data
            ?.updateInstitution
        : (await create({ variables: { institution: input } })).data?.createInstitution
      if (!saved) return
      warning.release()
      onSaved(saved)
    } catch (error) {
      const errors = fieldErrors(error)
      if (stored && errorCode(error) === 'CONFLICT') await takeOver(stored.id)
      else if (Object.keys(errors).length > 0) refuse('Datele nu au fost salvate', INCOMPLETE, errors)
      else refuse('Datele nu au fost salvate', errorMessage(error))
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setLeft(new Set(Object.keys(FIELD_LABELS) as InstitutionField[]))
    if (Object.keys(faults).length > 0) refuse('Datele nu au fost salvate', INCOMPLETE)
    else void save()
  }

  const close = () => warning.leave(onClose)
  return (
    <SideSheet
      isOpen
      isDismissable={false}
      onOpenChange={close}
      title={institution ? 'Editează instituția' : 'Adaugă o instituție'}
      actions={
        <>
          <Button onPress={close}>Anulează</Button>
          <Button variant="primary" type="submit" form={formId} isPending={isPending}>
            {institution ? 'Salvează' : 'Adaugă'}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="grid gap-6">
        {problem && (
          <Alert tone={problem.tone} title={problem.title} isLive>
            {problem.text}
          </Alert>
        )}
        <InstitutionForm
          values={values}
          errors={{ ...shown, ...refused }}
          onChange={change}
          onLeave={(field) => setLeft((before) => new Set(before).add(field))}
        />
      </form>
      {warning.dialog}
    </SideSheet>
  )
}

const INCOMPLETE = 'Pare rău, unele câmpuri nu sunt corect completate.'

/** The colour is not of this form and stays as it is. */
const toInput = (values: InstitutionValues, stored: InstitutionFacts | null) => ({
  ...values,
  color: stored?.color ?? null,
})
