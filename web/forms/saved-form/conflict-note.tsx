import type { FormKitNode } from '@formkit/core'
import { cloneAny } from '@formkit/utils'
import { useEffect, useId, useReducer, useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { FormAlert } from '../core/form.tsx'
import { showStored } from './stored-value.tsx'

export interface Conflict {
  /** The names of the fields that both users changed. */
  both: readonly string[]
  /** The values that the other user saved. */
  stored: object
  /** The React key: each new conflict mounts a new note. */
  key: number
}

/**
 * Reports that another user saved in the meantime, and lets the user choose the value of each field that both
 * changed.
 */
export function ConflictNote({ form, both, stored }: Omit<Conflict, 'key'> & { form: FormKitNode }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const fields = form.children.filter(isField)
    const receipts = fields.map((field) => field.on('prop:disabled', refresh))
    return () => fields.forEach((field, index) => void field.off(receipts[index]!))
  }, [form])
  const choices = findChoices(form, both)
  const names = list(choices.flat().map((field) => `„${labelOf(field)}”`))
  return (
    <>
      <FormAlert tone="warning" title="Altcineva a salvat între timp">
        {names
          ? `Ce este scris aici a rămas; în rest sunt valorile noi. Amândoi ați schimbat ${names}: la salvare rămâne ce este acum în formular.`
          : 'Ce este scris aici a rămas; în rest sunt valorile noi. Rămâne de verificat și de salvat.'}
      </FormAlert>
      {choices.length > 0 && (
        <ul aria-label="Ce ați schimbat amândoi" className="grid gap-2 text-sm">
          {choices.map((fields) => (
            <ConflictLine
              key={fields[0]!.name}
              fields={fields}
              theirs={fields.map(({ name }) => (stored as Record<string, unknown>)[name])}
            />
          ))}
        </ul>
      )}
    </>
  )
}

const list = (labels: string[]) => new Intl.ListFormat('ro').format(labels)
const labelOf = ({ name, props }: FormKitNode) => String(props.label ?? name)
const isField = (child: FormKitNode['children'][number]): child is FormKitNode => 'props' in child

/**
 * Returns the fields per choice: a field, or two fields that belong together. Disabled fields are left out,
 * because other fields set their values.
 */
function findChoices(form: FormKitNode, both: readonly string[]): FormKitNode[][] {
  const all = form.children.filter(isField)
  const mainFieldOf = (field: FormKitNode) =>
    all.find(({ props }) => props.groupedWith === field.name) ?? field
  const mainFields = new Set(both.flatMap((name) => form.at(name) ?? []).map(mainFieldOf))
  return [...mainFields]
    .filter(({ props }) => !props.disabled)
    .map((field) => [field, ...all.filter(({ name }) => name === field.props.groupedWith)])
}

function ConflictLine({ fields, theirs }: { fields: FormKitNode[]; theirs: unknown[] }) {
  const id = useId()
  /** The alternative values, which each press swaps with the values of the fields. */
  const [other, setOther] = useState({ values: theirs, isMine: false })
  const buttonLabel = other.isMine ? 'Înapoi la varianta mea' : 'Ia varianta salvată'
  const swap = () => {
    setOther({ values: fields.map((field) => cloneAny(field._value)), isMine: !other.isMine })
    for (const [index, field] of fields.entries()) void field.input(cloneAny(other.values[index]), false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-line py-1.5 pr-1.5 pl-4">
      <span id={id} className="grid min-w-0 flex-1 basis-48 break-words">
        {fields.map((field, index) => (
          <span key={field.name}>
            <span className="font-medium">{labelOf(field)}</span>, varianta salvată:{' '}
            {showStored(field, theirs[index]) ?? 'altă valoare (se vede după ce o iei)'}
          </span>
        ))}
      </span>
      <Button
        aria-label={`${buttonLabel}: ${list(fields.map(labelOf))}`}
        aria-describedby={id}
        onPress={swap}
      >
        {buttonLabel}
      </Button>
    </li>
  )
}
