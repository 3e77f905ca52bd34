import { useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { maskCnp, parseCnp } from '../../../../shared/romania/cnp.ts'
import { parsePhone } from '../../../../shared/romania/phone.ts'
import { DEBOUNCE_MS } from '../../../ui/hooks/debounce-ms.ts'
import type { PatientValues } from '../patient-values.ts'
import { POSSIBLE_DUPLICATES, type PossibleDuplicate } from './duplicates.queries.ts'

/** Returns the values that the search compares. */
const comparedOf = ({ surname, givenNames, previousSurname, birthDate, phone }: Partial<PatientValues>) => ({
  surname: surname?.trim() ?? '',
  givenNames: givenNames?.trim() ?? '',
  previousSurname: previousSurname?.trim() ?? '',
  birthDate: birthDate ?? null,
  phone: phone?.trim() ?? '',
})

/**
 * Returns the patients that may be the person in the form, some time after the last key; never those found
 * for other values. A patient with another CNP than the entered one is another person.
 */
export function useTypedDuplicates(
  values: Partial<PatientValues>,
  patientId: string | null,
): readonly PossibleDuplicate[] {
  const current = comparedOf(values)
  const key = JSON.stringify(current)
  const [searched, setSearched] = useState(current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each changed value restarts the timer
  useEffect(() => {
    const timer = setTimeout(() => setSearched(current), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key])
  const isEnough = (searched.surname !== '' && searched.givenNames !== '') || parsePhone(searched.phone).ok
  const { data } = useQuery(POSSIBLE_DUPLICATES, {
    variables: { ...searched, exceptId: patientId },
    skip: !isEnough,
    // Another user may have added the patient meanwhile.
    fetchPolicy: 'network-only',
  })
  if (!isEnough || JSON.stringify(searched) !== key) return []
  const cnp = parseCnp(values.cnp ?? '')
  return (data?.possibleDuplicates ?? []).filter(
    ({ patient }) => !cnp.ok || patient.cnpMasked === null || patient.cnpMasked === maskCnp(cnp.cnp),
  )
}
