import { useState } from 'react'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'

export interface Attempt {
  isPending: boolean
  /** The sentences of refused fields, by the field's name. */
  errors: Record<string, string>
  /** What is wrong where no field is. */
  message: string | null
  /** Refuses fields before anything is asked of the server. */
  refuse: (errors: Record<string, string>) => void
  /** Does it unless it is being done; answers whether it was done. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
}

/** Something that is asked of the server and may be refused. */
export function useAttempt(): Attempt {
  const [isPending, setPending] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<string | null>(null)
  const refuse = (refused: Record<string, string>) => {
    setErrors(refused)
    setMessage(null)
  }
  return {
    isPending,
    errors,
    message,
    refuse,
    run: async (work) => {
      if (isPending) return false
      setPending(true)
      refuse({})
      try {
        await work()
        return true
      } catch (error) {
        const refused = fieldErrors(error)
        refuse(refused)
        if (Object.keys(refused).length === 0) setMessage(errorMessage(error))
        return false
      } finally {
        setPending(false)
      }
    },
  }
}
