import { useMutation } from '@apollo/client/react'
import { errorMessage } from '../../../api/client-error.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { MARK_DISTINCT } from './duplicates.queries.ts'

/** Returns a function that remembers two patients as different people; it resolves to false after an error. */
export function useMarkDistinct(): (patientId: string, otherId: string) => Promise<boolean> {
  const [markDistinct] = useMutation(MARK_DISTINCT)
  return async (patientId, otherId) => {
    try {
      await markDistinct({ variables: { patientId, otherId } })
      return true
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu am putut nota răspunsul', description: errorMessage(error) })
      return false
    }
  }
}
