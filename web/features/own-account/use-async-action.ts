import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'

/**
 * Runs a request of a button, one at a time. `message` is the Romanian sentence of the last failure; null
 * without one.
 */
export function useAsyncAction() {
  const [isPending, setPending] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  return {
    isPending,
    message,
    run: async (work: () => Promise<unknown>) => {
      if (isPending) return
      setPending(true)
      setMessage(null)
      await work().catch((error: unknown) => setMessage(errorMessage(error)))
      setPending(false)
    },
  }
}
