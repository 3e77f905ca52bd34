import { useEffect, useState } from 'react'

/**
 * Returns what the user searches with the text in the box, trimmed; empty if the text is `chosenLabel`, the
 * label of the choice of one option.
 */
export function useTypedText(
  chosenLabel: string | undefined,
  onTypingChange: ((hasQuery: boolean) => void) | undefined,
) {
  const [text, setText] = useState('')
  const asQuery = (typed: string) => (typed === chosenLabel ? '' : typed)
  const query = asQuery(text).trim()
  const hasQuery = query !== ''
  useEffect(() => onTypingChange?.(hasQuery), [hasQuery, onTypingChange])
  return { query, asQuery, setText }
}
