import type { ReactNode } from 'react'
import { SETTING_BOUNDS } from '../../../shared/setting-bounds.ts'
import { Field } from '../../forms/field.ts'
import { Card } from '../../ui/card.tsx'

/** Settings that belong together; side by side where there is room. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title} className="col-span-full">
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">{children}</div>
    </Card>
  )
}

/** A whole number within the bounds of its setting. */
export function NumberSetting({
  name,
  unit,
  isOptional,
  ...props
}: {
  name: keyof typeof SETTING_BOUNDS
  label: string
  help?: string
  unit: string
  isOptional?: boolean
}) {
  const { min, max } = SETTING_BOUNDS[name]
  return (
    <Field
      {...props}
      type="text"
      name={name}
      inputMode="numeric"
      suffix={<span className="px-3 text-sm text-muted">{unit}</span>}
      validation={`${isOptional ? '' : 'required|'}matches:/^ *[0-9]+ *$/|between:${min},${max}`}
      validationMessages={{
        required: 'Scrie un număr.',
        matches: 'Scrie un număr întreg.',
        between: `Scrie un număr între ${min} și ${max}.`,
      }}
    />
  )
}
