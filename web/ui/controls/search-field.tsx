import {
  Button as AriaButton,
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
  Group,
  Input,
} from 'react-aria-components'
import { LIMITS } from '../../../shared/limits.ts'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { Spinner } from '../base/loading.tsx'
import { controlClass, controlRing, fieldClass, inputClass } from './field-styles.ts'

export interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'children' | 'className' | 'style'> {
  /** The accessible name; on screen, the placeholder is shown instead. */
  label: string
  placeholder?: string | undefined
  /** Whether a request is in progress: a spinner replaces the search icon. */
  isLoading?: boolean | undefined
  className?: string | undefined
}

/** A search field that accepts as many characters as the server does. */
export function SearchField({
  label,
  placeholder = 'Caută',
  isLoading,
  className,
  ...props
}: SearchFieldProps) {
  return (
    <AriaSearchField
      maxLength={LIMITS.searchText}
      {...props}
      aria-label={label}
      className={classNames(fieldClass, className)}
    >
      {({ isEmpty }) => (
        <Group className={classNames(controlClass, controlRing)}>
          <span className="flex pl-3 text-muted">
            {isLoading ? <Spinner label="Se caută" size={18} /> : <Icon name="search" size={18} />}
          </span>
          <Input
            placeholder={placeholder}
            className={classNames(
              inputClass,
              'pl-2.5 text-ellipsis [&::-webkit-search-cancel-button]:hidden',
            )}
          />
          <AriaButton
            className={classNames(
              'hit-square -my-px flex items-center justify-center rounded-md text-muted hover:text-ink',
              isEmpty && 'invisible',
            )}
          >
            <Icon name="close" size={18} />
          </AriaButton>
        </Group>
      )}
    </AriaSearchField>
  )
}
