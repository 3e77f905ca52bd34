import type { RefObject } from 'react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import type { Option } from './option.ts'

/** The selected options of a multiple choice, as tags; the user removes a tag with its button or Delete. */
export function OptionTags({
  label,
  chosen,
  isDisabled,
  onRemove,
  focusAfterLast,
}: {
  /** The label of the field. */
  label: string
  chosen: readonly Option[]
  isDisabled: boolean
  onRemove: (ids: ReadonlySet<string>) => void
  /** Gets the focus after the last tag was removed. */
  focusAfterLast: RefObject<HTMLElement | null>
}) {
  const remove = (ids: ReadonlySet<string>) => {
    onRemove(ids)
    if (ids.size === chosen.length) focusAfterLast.current?.focus()
  }
  return (
    <TagGroup
      aria-label={`${label}: ${chosen.map((option) => option.label).join(', ')}`}
      className="contents"
      escapeKeyBehavior="none"
      {...(!isDisabled && { onRemove: (keys) => remove(keys as Set<string>) })}
    >
      <TagList items={chosen} className="contents" dependencies={[isDisabled]}>
        {(option) => (
          <Tag
            textValue={option.label}
            isDisabled={isDisabled}
            className={classNames(
              'flex min-h-8 min-w-0 max-w-full items-center rounded-md bg-pressed pl-2.5 text-sm outline-offset-0',
              isDisabled && 'pr-2.5',
            )}
          >
            <span className="truncate">{option.label}</span>
            {!isDisabled && (
              <Button
                slot="remove"
                aria-label="Elimină"
                className="relative flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted after:absolute after:-inset-1 hover:text-ink"
              >
                <Icon name="close" size={16} />
              </Button>
            )}
          </Tag>
        )}
      </TagList>
    </TagGroup>
  )
}
