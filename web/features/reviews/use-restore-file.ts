import { useMutation } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { RESTORE_FILE } from './upload.queries.ts'

/**
 * Returns a function that restores a removed file and shows the outcome; it resolves to the new version of
 * the upload, or null after a failure.
 */
export function useRestoreFile(): (file: { id: string; name: string }) => Promise<number | null> {
  const [restoreFile] = useMutation(RESTORE_FILE)
  return async ({ id, name }) => {
    try {
      const { data } = await restoreFile({ variables: { id } })
      showToast({ tone: 'success', title: `„${name}” a fost repus` })
      return data?.restoreFile.version ?? null
    } catch (error) {
      showToast({ tone: 'error', title: 'Fișierul nu a fost repus', description: errorMessage(error) })
      return null
    }
  }
}
