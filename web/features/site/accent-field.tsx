import { useEffect } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { ACCENT_NAMES, ACCENTS, type Accent } from '../../../shared/site/accents.ts'
import { fieldOf } from '../../forms/core/field.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../forms/core/input.ts'
import { getSite } from '../../session/site.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { FieldLabel, FieldNotes } from '../../ui/controls/field.tsx'
import { fieldClass } from '../../ui/controls/field-styles.ts'

function AccentInput({ context }: InputProps<object, Accent>) {
  const [value = 'lime', setValue] = useFieldValue(context)
  const { label, hideLabel, help, error, className } = fieldBaseProps(context)
  useEffect(() => {
    document.documentElement.dataset.accent = value
  }, [value])
  useEffect(
    () => () => {
      document.documentElement.dataset.accent = getSite().color_scheme
    },
    [],
  )
  return (
    <RadioGroup
      validationBehavior="aria"
      value={value}
      onChange={(next) => setValue(next as Accent)}
      isInvalid={error !== null}
      orientation="horizontal"
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} />
      <div className="flex flex-wrap gap-2">
        {ACCENTS.map((accent) => (
          <Radio
            key={accent}
            value={accent}
            className="group/accent hit-area flex cursor-pointer items-center gap-2 rounded-md border border-line-strong/60 px-2.5 text-sm transition-colors hover:bg-hover data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus data-selected:border-ink data-selected:font-medium"
          >
            <span
              data-accent={accent}
              className="flex size-6 items-center justify-center rounded-full text-black"
              style={{ backgroundColor: 'var(--accent)' }}
            >
              <span className="invisible flex group-data-selected/accent:visible">
                <Icon name="check" size={16} />
              </span>
            </span>
            {ACCENT_NAMES[accent]}
          </Radio>
        ))}
      </div>
      <FieldNotes help={help} error={error} />
    </RadioGroup>
  )
}

/** The accent colour; a selection is applied to the whole page at once, for this user only. */
export const AccentField = fieldOf(
  defineInput<object, Accent>(AccentInput, [], { showValue: (accent) => ACCENT_NAMES[accent] }),
)
