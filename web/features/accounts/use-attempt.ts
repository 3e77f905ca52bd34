import { useState } from 'react'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'

export interface Attempt {
  isPending: boolean
  /** The sentences of refused fields, by the field's name. */
  errors: Record<string, string>
  /** What is wrong where no field is. */
  message: string | null
  /** Does it unless it is being done; answers whether it was done. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
}

/** Something that is asked of the server and may be refused. */
export function useAttempt(): Attempt {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const errors = fieldErrors(failure)
  return {
    isPending,
    errors,
    message: failure !== null && Object.keys(errors).length === 0 ? errorMessage(failure) : null,
    run: async (work) => {
      if (isPending) return false
      setPending(true)
      setFailure(null)
      try {
        await work()
        return true
      } catch (error) {
        setFailure(error)
        return false
      } finally {
        setPending(false)
      }
    },
  }
}
