import { useEffect, useRef, useState } from 'react'
import { parseCnp } from '../../../../shared/romania/cnp.ts'

export interface CnpLookup<Known> {
  /**
   * Returns the person with this CNP, or null if there is none. Called once for each complete and valid CNP.
   */
  lookUp?: ((cnp: string, signal?: AbortSignal) => Promise<Known | null>) | undefined
  /** Called with each result of `lookUp`, and with null when the CNP changes after a person was found. */
  onKnown?: ((known: Known | null) => void) | undefined
}

/**
 * Looks up the person with the CNP of a field once the CNP is valid. Returns the person, or null; results for
 * an outdated CNP are dropped.
 */
export function useCnpLookup<Known>(cnp: string, props: CnpLookup<Known>): Known | null {
  const [found, setFound] = useState<{ cnp: string; known: Known | null } | null>(null)
  const latest = useRef(props)
  latest.current = props
  const parsed = parseCnp(cnp)
  const validCnp = parsed.ok ? parsed.cnp : null

  useEffect(() => {
    const { lookUp } = latest.current
    if (validCnp === null || !lookUp) return
    const controller = new AbortController()
    let isKnown = false
    const handleResult = (known: Known | null) => {
      if (controller.signal.aborted) return
      isKnown = known !== null
      setFound({ cnp: validCnp, known })
      latest.current.onKnown?.(known)
    }
    // The lookup is only a convenience: saving checks the CNP again and reports errors.
    lookUp(validCnp, controller.signal).then(handleResult, () => undefined)
    return () => {
      controller.abort()
      setFound(null)
      if (isKnown) latest.current.onKnown?.(null)
    }
  }, [validCnp])

  return found?.cnp === validCnp ? found.known : null
}
