import { useState } from 'react'

/** Copies a text to the clipboard. `label` is the button's label: „Copiază”, then the result. */
export function useCopy(text: string): { label: string; copy: () => void } {
  const [label, setLabel] = useState('Copiază')
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setLabel('Copiat'),
      // The browser denied access to the clipboard; the user can still select the text.
      () => setLabel('Nu s-a putut copia'),
    )
  return { label, copy }
}
