import { useState } from 'react'
import type { Stories } from '../../catalogue/stories.ts'
import { Button } from '../base/button.tsx'
import { TextField } from '../controls/text-field.tsx'
import { Dialog, type DialogProps, SideSheet } from './dialog.tsx'

type Props = Omit<DialogProps, 'isOpen' | 'onOpenChange' | 'actions'> & { isAtSide?: boolean }

function Opened({ isAtSide, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  const Component = isAtSide ? SideSheet : Dialog
  return (
    <>
      <Button onPress={() => setOpen(true)}>Deschide</Button>
      <Component
        {...props}
        isOpen={isOpen}
        onOpenChange={setOpen}
        actions={
          <>
            <Button onPress={() => setOpen(false)}>Anulează</Button>
            <Button variant="primary" onPress={() => setOpen(false)}>
              Salvează
            </Button>
          </>
        }
      />
    </>
  )
}

const question = <p>Trimiterea se întoarce la instituție cu motivul scris aici.</p>

export default {
  mijlociu: () => <Opened title="Respinge trimiterea">{question}</Opened>,
  mic: () => (
    <Opened title="Respinge trimiterea" size="sm">
      {question}
    </Opened>
  ),
  mare: () => (
    <Opened title="Respinge trimiterea" size="lg">
      {question}
    </Opened>
  ),
  'cu câmp': () => (
    <Opened title="Pacient nou">
      <TextField label="Nume" autoFocus />
    </Opened>
  ),
  'mai lung decât ecranul': () => (
    <Opened title="Condiții">
      <p className="leading-10">{'Un rând din condiții. '.repeat(200)}</p>
    </Opened>
  ),
  'care cere un răspuns': () => (
    <Opened title="Cheia se arată o singură dată" role="alertdialog" closesOnlyByActions>
      <code>k_7f3a…</code>
    </Opened>
  ),
  'panou lateral': () => (
    <Opened title="Detalii" isAtSide>
      {question}
    </Opened>
  ),
} satisfies Stories
