import { useEffect, useRef } from 'react'
import { useForm } from './form.tsx'

/**
 * Keeps `proposal` in a text field of the form around for as long as nobody has written something else there than what was
 * proposed before, `first` to begin with.
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
