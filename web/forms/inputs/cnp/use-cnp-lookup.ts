import { useEffect, useRef, useState } from 'react'
import { parseCnp } from '../../../../shared/romania/cnp.ts'

export interface CnpLookup<Known> {
  /** Who has this CNP; null for nobody. Asked once for each whole and valid number that stands in the field. */
  lookUp?: ((cnp: string, signal?: AbortSignal) => Promise<Known | null>) | undefined
  /** Called with each answer, and with null when the number that somebody was found for no longer stands there. */
  onKnown?: ((known: Known | null) => void) | undefined
}

/** Who has the CNP that stands in a field, as soon as it is whole; answers for what stood there before are dropped. */
export function useCnpLookup<Known>(cnp: string, props: CnpLookup<Known>): Known | null {
  const [found, setFound] = useState<{ cnp: string; known: Known | null } | null>(null)
  const latest = useRef(props)
  latest.current = props
  const parsed = parseCnp(cnp)
  const wanted = parsed.ok ? parsed.cnp : null

  useEffect(() => {
    const { lookUp } = latest.current
    if (wanted === null || !lookUp) return
    const stop = new AbortController()
    let isKnown = false
    const response = (known: Known | null) => {
      if (stop.signal.aborted) return
      isKnown = known !== null
      setFound({ cnp: wanted, known })
      latest.current.onKnown?.(known)
    }
    // Only a service: saving asks again, and says what went wrong.
    lookUp(wanted, stop.signal).then(response, () => undefined)
    return () => {
      stop.abort()
      setFound(null)
      if (isKnown) latest.current.onKnown?.(null)
    }
  }, [wanted])

  return found?.cnp === wanted ? found.known : null
}
