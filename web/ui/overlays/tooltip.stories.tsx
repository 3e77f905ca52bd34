import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { Button, IconButton } from '../base/button.tsx'
import { Dialog } from './dialog.tsx'

function InDialog() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Deschide dialogul</Button>
      <Dialog title="Indiciu în dialog" size="sm" isOpen={isOpen} onOpenChange={setOpen}>
        <IconButton icon="help" label="Ce înseamnă" />
      </Dialog>
    </>
  )
}

export default {
  text: () => <Button data-tooltip="Codul numeric personal, 13 cifre">CNP</Button>,
  'numele unei pictograme': () => (
    <div className="flex gap-2">
      <IconButton icon="pencil" label="Editează" />
      <IconButton icon="printer" label="Tipărește" />
    </div>
  ),
  'cu puțin HTML': () => (
    <Button data-tooltip-html="Găsit în <b>pagina 1</b><br>cod <code>285</code>">Potrivire</Button>
  ),
  'text lung': () => (
    <Button data-tooltip="Investigația se face dimineața, pe nemâncate, cu cel puțin douăsprezece ore de la ultima masă, iar medicamentele se iau după recoltare.">
      Pregătire
    </Button>
  ),
  'fără conținut': () => <Button data-tooltip="">Nimic de spus</Button>,
  'în dialog': InDialog,
} satisfies Stories
