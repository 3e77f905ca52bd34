import { useId } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components'
import { formatColorText, type HslaColor, parseColorText } from './color.ts'
import { ColorSample } from './color-sample.tsx'

/** A predefined colour; `value` in any notation; the label is the value by default. */
export interface Swatch {
  value: string
  label?: string | undefined
}

export interface SwatchGroup {
  label: string
  swatches: readonly Swatch[]
}

interface ColorSwatchesProps {
  swatches: readonly (Swatch | SwatchGroup)[]
  color: HslaColor | null
  onChoose: (color: HslaColor) => void
}

/** The predefined colours [3.8]: first those without a group, then the groups. */
export function ColorSwatches({ swatches, ...props }: ColorSwatchesProps) {
  const groups = swatches.filter((each) => 'swatches' in each)
  const single = swatches.filter((each) => 'value' in each)
  return (
    <>
      {single.length > 0 && <SwatchList label="Culori propuse" hideLabel swatches={single} {...props} />}
      {groups.map((group) => (
        <SwatchList key={group.label} {...group} {...props} />
      ))}
    </>
  )
}

function SwatchList({
  label,
  hideLabel,
  swatches,
  color: colour,
  onChoose,
}: Omit<ColorSwatchesProps, 'swatches'> & SwatchGroup & { hideLabel?: boolean }) {
  const labelId = useId()
  const chosen = colour && formatColorText(colour, 'hex')
  const items = swatches.flatMap(({ value, label: name = value }) => {
    const parsed = parseColorText(value)
    return parsed ? [{ id: name, name, parsed, hex: formatColorText(parsed, 'hex') }] : []
  })
  return (
    <div>
      <div id={labelId} className={hideLabel ? 'sr-only' : 'text-xs text-muted'}>
        {label}
      </div>
      <ListBox
        aria-labelledby={labelId}
        layout="grid"
        items={items}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={items.filter(({ hex }) => hex === chosen).map(({ id }) => id)}
        onSelectionChange={(keys) => {
          const item = items.find(({ id }) => keys !== 'all' && keys.has(id))
          if (item) onChoose(item.parsed)
        }}
        className="-mx-1.5 flex flex-wrap outline-none"
      >
        {({ name, hex }) => (
          <ListBoxItem
            textValue={name}
            aria-label={name}
            data-tooltip={name}
            className="group/swatch flex size-8 cursor-pointer items-center justify-center rounded-md outline-none hover:bg-hover pointer-coarse:size-11"
          >
            <ColorSample
              color={hex}
              size={21}
              className="outline-ink group-data-focus-visible/swatch:outline-2 group-data-focus-visible/swatch:outline-offset-2 group-data-focus-visible/swatch:outline-focus group-data-selected/swatch:outline-2 group-data-selected/swatch:outline-offset-1"
            />
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  )
}
