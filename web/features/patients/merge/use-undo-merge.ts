import { useMutation } from '@apollo/client/react'
import { counted } from '../../../../shared/romania/romanian.ts'
import { errorMessage, fieldErrors } from '../../../api/client-error.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { UNDO_MERGE } from './merge.queries.ts'

/**
 * Returns a function that undoes a merge and shows the outcome. It resolves to the server's sentence if values
 * have changed since the merge, so that the user decides; to null otherwise.
 */
export function useUndoMerge(): (id: string, keepChanges?: boolean) => Promise<string | null> {
  const [undoMerge] = useMutation(UNDO_MERGE, {
    refetchQueries: ['PatientPage'],
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  return async (id, keepChanges = false) => {
    try {
      const { data } = await undoMerge({ variables: { id, keepChanges } })
      if (!data) return null
      const { survivor, restored, uploadsToCheck, newsToCheck, referralsToCheck } = data.undoMerge
      showToast({
        tone: 'success',
        title: 'Unirea a fost anulată',
        description: `${survivor.name} și ${restored.name} sunt din nou doi pacienți.`,
      })
      if (uploadsToCheck.length > 0)
        showToast({
          // Stays until it is closed: the numbers are shown nowhere else.
          tone: 'error',
          title: 'Verifică al cui este fiecare rezultat',
          description: `Încărcările nr. ${uploadsToCheck.join(', nr. ')}`,
        })
      if (newsToCheck > 0)
        showToast({
          tone: 'error',
          title: 'Verifică despre cine sunt noutățile',
          description: `${counted(newsToCheck, 'noutate scrisă', 'noutăți scrise')} după unire: le citește acum doar personalul, la ${survivor.name} și la ${restored.name}.`,
        })
      if (referralsToCheck.length > 0)
        showToast({
          tone: 'error',
          title: `Verifică trimiterile pacientului ${survivor.name}`,
          description: `Adăugate după unire, poate ale celuilalt pacient: ${[
            ...new Set(referralsToCheck.map(({ institutionName }) => institutionName)),
          ].join(', ')}`,
        })
      return null
    } catch (error) {
      if (Object.keys(fieldErrors(error)).length > 0) return errorMessage(error)
      showToast({ tone: 'error', title: 'Unirea nu a fost anulată', description: errorMessage(error) })
      return null
    }
  }
}
