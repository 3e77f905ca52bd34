import type { FormKitNode } from '@formkit/core'
import { cloneAny } from '@formkit/utils'
import { useEffect, useId, useReducer, useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { FormAlert } from '../core/form.tsx'
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
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const fields = form.children.filter(isField)
    const receipts = fields.map((field) => field.on('prop:disabled', refresh))
    return () => fields.forEach((field, place) => void field.off(receipts[place]!))
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

const list = (words: string[]) => new Intl.ListFormat('ro').format(words)
const labelOf = ({ name, props }: FormKitNode) => String(props.label ?? name)
const isField = (child: FormKitNode['children'][number]): child is FormKitNode => 'props' in child

/** What is chosen at once: a field, or two that belong together; nothing in one that others fill in. */
function findChoices(form: FormKitNode, both: readonly string[]): FormKitNode[][] {
  const all = form.children.filter(isField)
  const leaderOf = (field: FormKitNode) => all.find(({ props }) => props.leads === field.name) ?? field
  const leaders = new Set(both.flatMap((name) => form.at(name) ?? []).map(leaderOf))
  return [...leaders]
    .filter(({ props }) => !props.disabled)
    .map((field) => [field, ...all.filter(({ name }) => name === field.props.leads)])
}

function ConflictLine({ fields, theirs }: { fields: FormKitNode[]; theirs: unknown[] }) {
  const id = useId()
  /** What does not stand in the fields now: each press puts the one in the place of the other. */
  const [other, setOther] = useState({ values: theirs, isMine: false })
  const words = other.isMine ? 'Înapoi la varianta mea' : 'Ia varianta salvată'
  const swap = () => {
    setOther({ values: fields.map((field) => cloneAny(field._value)), isMine: !other.isMine })
    for (const [place, field] of fields.entries()) void field.input(cloneAny(other.values[place]), false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-line py-1.5 pr-1.5 pl-4">
      <span id={id} className="grid min-w-0 flex-1 basis-48 break-words">
        {fields.map((field, place) => (
          <span key={field.name}>
            <span className="font-medium">{labelOf(field)}</span>, varianta salvată:{' '}
            {showStored(field, theirs[place]) ?? 'altă valoare (se vede după ce o iei)'}
          </span>
        ))}
      </span>
      <Button aria-label={`${words}: ${list(fields.map(labelOf))}`} aria-describedby={id} onPress={swap}>
        {words}
      </Button>
    </li>
  )
}
