import { useApolloClient } from '@apollo/client/react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { LoadOptions } from '../../ui/options/option-loader.ts'
import { PATIENT_CHOICES } from './patients.queries.ts'

type PatientChoice = {
  id: string
  name: string
  number: number
  birthDate: string | null
  cnpMasked: string | null
}

/** Returns a patient as an option of a field. */
export const patientOption = ({ id, name, number, birthDate, cnpMasked }: PatientChoice) => ({
  id,
  label: name,
  description: [birthDate && formatDate(birthDate), cnpMasked && `CNP ${cnpMasked}`, `nr. ${number}`]
    .filter(Boolean)
    .join(' · '),
})

/** The last option of a list that does not contain all matches. */
const TOO_MANY = {
  id: 'too many',
  label: 'Sunt prea mulți pacienți cu aceste cifre',
  description: 'Scrie mai multe cifre.',
  isDisabled: true,
}

/**
 * Returns a loader of patients that match a text, without the patient with the id `except`; with `institutionId` only those
 * whom this institution has referred.
 */
export function useFindPatients({
  except,
  institutionId,
}: {
  except?: string
  institutionId?: string
} = {}): LoadOptions {
  const client = useApolloClient()
  return async (search, after) => {
    const variables = { institutionId: institutionId ?? null, search, after }
    const response = await client.query({ query: PATIENT_CHOICES, variables, fetchPolicy: 'network-only' })
    const { nodes, endCursor, isCut, reasons } = response.data!.patients
    const options = nodes
      .filter(({ id }) => id !== except)
      .map(patientOption)
      .map((option) => {
        const reason = reasons.find(({ rowId }) => rowId === option.id)
        return reason ? { ...option, description: `${reason.text} · ${option.description}` } : option
      })
    return { options: [...options, ...(isCut && endCursor === null ? [TOO_MANY] : [])], next: endCursor }
  }
}
