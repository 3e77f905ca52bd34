import { useMutation } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { WITHDRAW_UPLOAD } from './new-upload.queries.ts'

/**
 * Withdraws an unfinished upload and shows the result in a toast. `onWithdrawn` is called after a success.
 */
export function useWithdrawal(onWithdrawn: (upload: { uploadId: string }) => void) {
  const [withdrawUpload, { loading }] = useMutation(WITHDRAW_UPLOAD)
  return {
    isCancelling: loading,
    withdraw: async (uploadId: string) => {
      try {
        await withdrawUpload({ variables: { id: uploadId } })
      } catch (error) {
        showToast({ tone: 'error', title: 'Nu am putut anula încărcarea', description: errorMessage(error) })
        return
      }
      onWithdrawn({ uploadId })
      showToast({ tone: 'info', title: 'Încărcarea a fost anulată' })
    },
  }
}
