import { useState } from 'react'

/** Puts a text where it can be pasted from; `label` says how that went, and what the button does until then. */
export function useCopy(text: string): { label: string; copy: () => void } {
  const [label, setLabel] = useState('Copiază')
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setLabel('Copiat'),
      // Refused by the browser: the text can be selected still.
      () => setLabel('Nu s-a putut copia'),
    )
  return { label, copy }
}
