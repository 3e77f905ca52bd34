import { type KeyboardEvent, useRef } from 'react'
import { capitaliseName } from '../../../shared/romania/names.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { Kbd } from '../../ui/base/kbd.tsx'
import type { PatientValues } from './patient-values.ts'

/** A name; written in capital or small letters only, it is proposed as names are written: taken by a press or the key ↓. */
export function NameField({
  name,
  ...field
}: {
  name: 'surname' | 'givenNames' | 'previousSurname'
  label: string
  validation?: string
  maxLength: number
}) {
  const { values, fill } = useForm<PatientValues>()
  const place = useRef<HTMLDivElement>(null)
  const typed = values[name]?.trim() ?? ''
  const proposal = capitaliseName(typed)
  const isOther = typed !== '' && proposal !== typed
  const take = () => {
    fill(name, proposal)
    place.current?.querySelector('input')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !isOther) return
    event.preventDefault()
    take()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is one of the field inside
    <div ref={place} onKeyDown={onKeyDown} className="grid content-start gap-1">
      <Field type="text" name={name} {...field} />
      {isOther && (
        <Button variant="quiet" className="max-w-full justify-self-start" onPress={take}>
          <span className="truncate">Scrie „{proposal}”</span>
          <span aria-hidden="true" className="pointer-coarse:hidden">
            <Kbd>↓</Kbd>
          </span>
        </Button>
      )}
    </div>
  )
}
