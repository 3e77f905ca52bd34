import { useEffect, useRef } from 'react'
import { useForm } from './form.tsx'

/**
 * Writes `proposal` into a text field of the surrounding form while the field contains the previous proposal
 * (`first` initially), that is, until the user types another text.
 */
export function useProposal<Values extends object>(
  name: keyof Values & string,
  proposal: string,
  first = '',
): void {
  const { values, fill } = useForm<Values>()
  const proposed = useRef(first)
  const text = values[name] ?? ''
  useEffect(() => {
    if (text !== proposed.current || proposal === proposed.current) return
    proposed.current = proposal
    fill(name, proposal)
  })
}
