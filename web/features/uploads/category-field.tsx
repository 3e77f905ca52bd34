import { ComboBox } from '../../ui/combo-box.tsx'
import type { Option } from '../../ui/select.tsx'

/** A category as one line that can be searched by any of its names: `Imagistică › RMN › Cerebral`. */
export const withPath = ({ description, label, ...option }: Option): Option => ({
  ...option,
  label: description ? `${description} › ${label}` : label,
})

export function CategoryField({
  options,
  value,
  onChange,
  error,
  autoFocus,
}: {
  options: readonly Option[]
  value: string | null
  onChange: (slug: string | null) => void
  error: string | undefined
  autoFocus?: boolean
}) {
  return (
    <ComboBox
      label="Categorie"
      options={options.map(withPath)}
      value={value}
      onChange={onChange}
      error={error}
      autoFocus={autoFocus ?? false}
      placeholder="Scrie sau alege"
      emptyText="Nicio categorie găsită"
    />
  )
}
