import type { ReactNode } from 'react'
import { SETTING_BOUNDS } from '../../../shared/site/setting-bounds.ts'
import { Field } from '../../forms/core/field.ts'
import { Card } from '../../ui/base/card.tsx'
import { SETTINGS_SECTIONS, type SettingsSectionId } from './settings-index.tsx'

/** A group of settings, side by side if there is room. */
export function SettingsSection({ id, children }: { id: SettingsSectionId; children: ReactNode }) {
  return (
    <div id={id} tabIndex={-1} className="col-span-full scroll-mt-28 outline-none lg:scroll-mt-6">
      <Card title={SETTINGS_SECTIONS[id]}>
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">{children}</div>
      </Card>
    </div>
  )
}

/** A field for a whole number within the bounds of its setting. */
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
