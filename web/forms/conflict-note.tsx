import type { FormKitNode } from '@formkit/core'
import { cloneAny } from '@formkit/utils'
import { useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { FormAlert } from './form.tsx'
import { showStored } from './stored-value.tsx'

export interface Conflict {
  /** The names of the fields that both have changed. */
  both: readonly string[]
  /** What the other person has saved. */
  stored: object
  /** Which one it is: the next begins afresh. */
  key: number
}

/** Somebody else has saved meanwhile: what that is, and for what both changed, a choice between the two. */
export function ConflictNote({ form, both, stored }: Omit<Conflict, 'key'> & { form: FormKitNode }) {
  const fields = both.flatMap((name) => form.at(name) ?? [])
  const names = new Intl.ListFormat('ro').format(fields.map((field) => `„${labelOf(field)}”`))
  return (
    <>
      <FormAlert tone="warning" title="Altcineva a salvat între timp">
        {names
          ? `Ce ai scris a rămas; în rest sunt valorile noi. Amândoi ați schimbat ${names}: dacă salvezi, rămâne ce stă în formular.`
          : 'Ce ai scris a rămas; în rest sunt valorile noi. Verifică și salvează din nou.'}
      </FormAlert>
      {fields.length > 0 && (
        <ul aria-label="Ce ați schimbat amândoi" className="grid gap-2 text-sm">
          {fields.map((field) => (
            <ConflictLine
              key={field.name}
              field={field}
              theirs={(stored as Record<string, unknown>)[field.name]}
            />
          ))}
        </ul>
      )}
    </>
  )
}

const labelOf = ({ name, props }: FormKitNode) => String(props.label ?? name)

function ConflictLine({ field, theirs }: { field: FormKitNode; theirs: unknown }) {
  const id = useId()
  /** What does not stand in the field now: each press puts the one in the place of the other. */
  const [other, setOther] = useState({ value: theirs, isMine: false })
  const label = labelOf(field)
  const words = other.isMine ? 'Înapoi la varianta mea' : 'Ia varianta salvată'
  const swap = () => {
    setOther({ value: cloneAny(field._value), isMine: !other.isMine })
    void field.input(cloneAny(other.value), false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-line py-1.5 pr-1.5 pl-4">
      <span id={id} className="min-w-0 flex-1 basis-48 break-words">
        <span className="font-medium">{label}</span>, varianta salvată: {showStored(field, theirs) ?? 'alta'}
      </span>
      <Button aria-label={`${words}: ${label}`} aria-describedby={id} onPress={swap}>
        {words}
      </Button>
    </li>
  )
}
