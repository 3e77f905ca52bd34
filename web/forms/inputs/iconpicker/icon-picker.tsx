import { Suspense, useId, useState } from 'react'
import {
  Button as AriaButton,
  DialogTrigger,
  FieldErrorContext,
  LabelContext,
  Popover,
  Provider,
  TextContext,
} from 'react-aria-components'
import type { CategoryIconName } from '../../../../shared/uploads/categories.ts'
import { Button } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { lazyNamed } from '../../../ui/base/lazy.ts'
import { Spinner } from '../../../ui/base/loading.tsx'
import { popoverClass } from '../../../ui/base/popover-styles.ts'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { controlClass, fieldClass } from '../../../ui/controls/field-styles.ts'
import { ICON_KEYWORDS } from '../../../ui/icons/icon-keywords.ts'

const IconGrid = lazyNamed(() => import('./icon-grid.tsx'), 'IconGrid')

export interface IconPickerProps extends FieldBaseProps {
  /** '' if no icon is chosen. */
  value: CategoryIconName | ''
  onChange: (value: CategoryIconName | '') => void
  isRequired?: boolean
  isDisabled?: boolean
  autoFocus?: boolean
  onBlur: () => void
}

/** React Aria's validation result of an invalid field; `FieldNotes` shows the sentence. */
const INVALID_RESULT = {
  isInvalid: true,
  validationErrors: [],
  validationDetails: {} as ValidityState,
}

/** A choice of one of the icons of requirement 3.7, in a grid. */
export function IconPicker({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onChange,
  isRequired,
  isDisabled,
  autoFocus,
  onBlur,
}: IconPickerProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const open = (next: boolean) => {
    setOpen(next)
    if (!next) onBlur()
  }
  const choose = (next: CategoryIconName | '') => {
    onChange(next)
    open(false)
  }
  return (
    <div
      className={classNames(fieldClass, className)}
      data-invalid={error ? '' : undefined}
      data-disabled={isDisabled ? '' : undefined}
    >
      <DialogTrigger isOpen={isOpen} onOpenChange={open}>
        <Provider
          values={[
            [LabelContext, { id: `${id}-label`, elementType: 'span' }],
            [
              TextContext,
              { slots: { description: { id: `${id}-help` }, errorMessage: { id: `${id}-error` } } },
            ],
            [FieldErrorContext, error ? INVALID_RESULT : null],
          ]}
        >
          <FieldLabel label={label} hideLabel={hideLabel} isRequired={isRequired} />
          <AriaButton
            aria-labelledby={`${id}-label ${id}-value`}
            aria-describedby={[help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')}
            isDisabled={!!isDisabled}
            autoFocus={!!autoFocus}
            className={classNames(controlClass, 'gap-2 px-3 py-1.5 text-start hover:bg-hover')}
          >
            {value && <Icon name={value} size={18} className="text-muted" />}
            <span
              id={`${id}-value`}
              className={classNames('min-w-0 flex-1 truncate', !value && 'text-faint')}
            >
              {value ? ICON_KEYWORDS[value] : 'Alege'}
            </span>
            <Icon name="chevron-down" size={18} className="text-muted" />
          </AriaButton>
          <FieldNotes help={help} error={error} />
        </Provider>
        <Popover
          aria-labelledby={`${id}-label`}
          offset={4}
          placement="bottom start"
          className={popoverClass}
          // As wide as its grid, even under a wider field.
          style={{ minWidth: 0 }}
        >
          <div className="grid w-70 gap-2 p-2 pointer-coarse:w-72">
            <Suspense fallback={<Spinner className="m-auto h-40 items-center" />}>
              <IconGrid value={value} onChoose={choose} />
            </Suspense>
            {value && !isRequired && (
              <Button variant="quiet" icon="close" onPress={() => choose('')}>
                Fără pictogramă
              </Button>
            )}
          </div>
        </Popover>
      </DialogTrigger>
    </div>
  )
}
