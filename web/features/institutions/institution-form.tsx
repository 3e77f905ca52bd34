import type { ReactNode } from 'react'
import { formatPhone, parsePhone } from '../../../shared/phone.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { FIELD_LABELS, type InstitutionField, type InstitutionValues } from './institution-values.ts'
import { DELIVERIES, type Delivery, INSTITUTION_KINDS, type InstitutionKind } from './institution-words.ts'

const options = <Id extends string>(names: Record<Id, string>) =>
  (Object.entries(names) as [Id, string][]).map(([id, label]) => ({ id, label }))

const kinds = options<InstitutionKind>(INSTITUTION_KINDS)
const deliveries = options<Delivery>(DELIVERIES)

export interface InstitutionFormProps {
  values: InstitutionValues
  /** What is wrong, of the fields that may say so already. */
  errors: Partial<Record<InstitutionField, string>>
  onChange: (change: Partial<InstitutionValues>) => void
  onLeave: (field: InstitutionField) => void
}

export function InstitutionForm({ values, errors, onChange, onLeave }: InstitutionFormProps) {
  const text = (field: Exclude<InstitutionField, 'mayUpload'>) => ({
    name: field,
    label: FIELD_LABELS[field],
    value: values[field],
    error: errors[field],
    onChange: (value: string) => onChange({ [field]: value }),
    onBlur: () => onLeave(field),
    autoComplete: 'off',
  })
  const tidyPhone = () => {
    const phone = parsePhone(values.phone)
    if (phone.ok) onChange({ phone: formatPhone(phone.e164) })
    onLeave('phone')
  }
  return (
    <div className="grid gap-7">
      <Group title="Denumire">
        <TextField {...text('name')} isRequired maxLength={200} className="sm:col-span-2" />
        <TextField {...text('shortName')} maxLength={60} help="Apare în liste." />
        <TextField {...text('code')} isRequired maxLength={30} help="Unic, scurt: SME, CZN-2." />
        <Select
          label={FIELD_LABELS.kind}
          isRequired
          options={kinds}
          value={(values.kind || null) as InstitutionKind | null}
          onChange={(kind) => onChange({ kind })}
          error={errors.kind}
        />
      </Group>
      <Group title="Date fiscale">
        <TextField {...text('cui')} maxLength={20} />
        <TextField {...text('tradeRegister')} maxLength={60} />
      </Group>
      <Group title="Adresă și contact">
        <TextField {...text('county')} maxLength={60} />
        <TextField {...text('locality')} maxLength={100} />
        <TextField {...text('address')} maxLength={200} className="sm:col-span-2" />
        <TextField {...text('phone')} type="tel" maxLength={40} onBlur={tidyPhone} />
        <TextField {...text('email')} type="email" inputMode="email" maxLength={254} />
        <TextArea
          {...text('contacts')}
          rows={2}
          maxLength={4000}
          help="Cu cine vorbim și unde: nume, secție, interior."
          className="sm:col-span-2"
        />
      </Group>
      <Group title="Rezultate">
        <Select
          label={FIELD_LABELS.delivery}
          options={deliveries}
          value={values.delivery as Delivery}
          onChange={(delivery) => onChange({ delivery })}
          error={errors.delivery}
          className="sm:col-span-2"
        />
        <Checkbox
          isSelected={values.mayUpload}
          onChange={(mayUpload) => onChange({ mayUpload })}
          help="Instituția ne poate trimite și ea documente."
          className="sm:col-span-2"
        >
          {FIELD_LABELS.mayUpload}
        </Checkbox>
      </Group>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-sm font-semibold text-muted">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}
