import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/** Shows an error of a change of an import. */
export const showFailure = (error: unknown) =>
  showToast({ tone: 'error', title: 'Nu a reușit', description: errorMessage(error) })
