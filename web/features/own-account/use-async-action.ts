import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'

/** Something that is asked of the server by a button and may be refused: one at a time, with the sentence of the last. */
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
