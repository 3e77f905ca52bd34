import { useApolloClient, useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'
import { PATIENT, type Referral, UPDATE_REFERRAL } from './patients.queries.ts'

export type ReferralValues = {
  institutionId: string | null
  doctor: string
  number: string
  referredOn: string | null
  endedOn: string | null
  isMistaken: boolean
}

/** Returns the values of a referral's form; of a new referral without one. */
export const valuesOfReferral = (referral: Referral | null): ReferralValues => ({
  institutionId: referral?.institutionId ?? null,
  doctor: referral?.doctor ?? '',
  number: referral?.number ?? '',
  referredOn: referral?.referredOn ?? null,
  endedOn: referral?.endedOn ?? null,
  isMistaken: referral?.isMistaken ?? false,
})

/**
 * Returns the referral as the form is based on it, a function that saves its changes and names the uploads that the
 * institution no longer sees, and one that loads it again after another user has changed it.
 */
export function useUpdateReferral(patientId: string, shown: Referral) {
  const client = useApolloClient()
  const [updateReferral] = useMutation(UPDATE_REFERRAL)
  const [referral, setReferral] = useState(shown)
  return {
    referral,
    update: async (changes: Partial<ReferralValues>, title: string): Promise<void> => {
      const { institutionId, ...values } = { ...valuesOfReferral(referral), ...changes }
      if (institutionId === null) return
      const { id, version } = referral
      const { data } = await updateReferral({
        variables: { id, version, referral: { ...values, institutionId } },
      })
      showToast({ tone: 'success', title })
      const numbers = data?.updateReferral.uploadsNoLongerShown ?? []
      if (numbers.length > 0) showHiddenUploads(numbers)
    },
    reload: async (): Promise<ReferralValues> => {
      const variables = { id: patientId }
      const { data, error } = await client.query({ query: PATIENT, variables, fetchPolicy: 'network-only' })
      const reloaded = data?.patient.referrals.find(({ id }) => id === referral.id)
      if (!reloaded) throw error ?? new Error('the referral is no longer of this patient')
      setReferral(reloaded)
      return valuesOfReferral(reloaded)
    },
  }
}

const MAX_NUMBERS = 10

function showHiddenUploads(numbers: readonly number[]): void {
  const shown = numbers.slice(0, MAX_NUMBERS).map((number) => `nr. ${number}`)
  const others = numbers.length - shown.length
  showToast({
    // Stays until it is closed: the numbers are shown nowhere else.
    tone: 'error',
    title: 'Instituția nu mai vede',
    description: `Încărcările ${shown.join(', ')}${others > 0 ? ` și încă ${others}` : ''}. Dacă sunt pentru altă instituție, alege-o la fiecare.`,
  })
}
