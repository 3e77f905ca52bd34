import { type KeyboardEvent, useRef } from 'react'
import { capitaliseName } from '../../../shared/romania/names.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { Button } from '../../ui/base/button.tsx'
import { Kbd } from '../../ui/base/kbd.tsx'
import type { PatientValues } from './patient-values.ts'

/**
 * A name field. For a name in capital or small letters only, it proposes the usual capitalisation, accepted
 * by a press or the key ↓.
 */
export function NameField({
  name,
  ...field
}: {
  name: 'surname' | 'givenNames' | 'previousSurname'
  label: string
  help?: string | undefined
  validation?: string
  maxLength: number
}) {
  const { values, fill } = useForm<PatientValues>()
  const container = useRef<HTMLDivElement>(null)
  const typed = values[name]?.trim() ?? ''
  const proposal = capitaliseName(typed)
  const hasProposal = typed !== '' && proposal !== typed
  const acceptProposal = () => {
    fill(name, proposal)
    container.current?.querySelector('input')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !hasProposal) return
    event.preventDefault()
    acceptProposal()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key event comes from the field inside
    <div ref={container} onKeyDown={onKeyDown} className="grid content-start gap-1">
      <Field type="text" name={name} {...field} />
      {hasProposal && (
        <Button variant="quiet" className="max-w-full justify-self-start" onPress={acceptProposal}>
          <span className="truncate">Scrie „{proposal}”</span>
          <span aria-hidden="true" className="pointer-coarse:hidden">
            <Kbd>↓</Kbd>
          </span>
        </Button>
      )}
    </div>
  )
}
