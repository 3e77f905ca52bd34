import { useMutation } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/toast.tsx'
import { RESTORE_FILE } from './upload.queries.ts'

/** Puts a removed file back, and says how that went. */
export function useRestoreFile(): (file: { id: string; name: string }) => Promise<void> {
  const [restoreFile] = useMutation(RESTORE_FILE)
  return async ({ id, name }) => {
    try {
      await restoreFile({ variables: { id } })
      showToast({ tone: 'success', title: `„${name}” a fost repus` })
    } catch (error) {
      showToast({ tone: 'error', title: 'Fișierul nu a fost repus', description: errorMessage(error) })
    }
  }
}
