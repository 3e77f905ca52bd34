import { type HTMLAttributes, type ReactNode, useId } from 'react'
import { Group } from 'react-aria-components'
import { IconButton } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { Icon } from '../../../ui/base/icon.tsx'

export interface RepeaterItemProps {
  name: string
  isFirst: boolean
  isLast: boolean
  isDisabled: boolean
  canRemove: boolean
  /** The id of the text that explains the limit of the list. */
  limitId: string | undefined
  /** Whether the item is dragged (`lifted`), or the dragged item would be dropped before or after it. */
  drag: 'lifted' | 'before' | 'after' | null
  handleProps: HTMLAttributes<HTMLElement>
  onStep: (by: -1 | 1) => void
  onRemove: () => void
  children: ReactNode
}

const DROP_LINE_CLASS =
  'before:absolute before:inset-x-0 before:h-0.5 before:rounded-full before:bg-accent-mark'

export function RepeaterItem({
  name,
  isFirst,
  isLast,
  isDisabled,
  canRemove,
  limitId,
  drag,
  handleProps,
  onStep,
  onRemove,
  children,
}: RepeaterItemProps) {
  const titleId = useId()
  const isAlone = isFirst && isLast
  return (
    <li
      className={classNames(
        'relative min-w-0',
        drag === 'before' && `${DROP_LINE_CLASS} before:-top-1.75`,
        drag === 'after' && `${DROP_LINE_CLASS} before:-bottom-1.75`,
      )}
    >
      <Group
        aria-labelledby={titleId}
        tabIndex={-1}
        className={classNames(
          '@container rounded-lg border border-line bg-surface transition-opacity',
          drag === 'lifted' && 'border-dashed border-line-strong opacity-60',
        )}
      >
        <div className="flex items-center border-b border-line py-0.5 pr-0.5 pl-1">
          {!isAlone && !isDisabled && (
            <span
              {...handleProps}
              aria-hidden="true"
              data-part="handle"
              className="hit-square -ml-1 flex shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-muted select-none hover:text-ink active:cursor-grabbing"
            >
              <Icon name="grip" size={18} />
            </span>
          )}
          <span
            id={titleId}
            className={classNames(
              'min-w-0 flex-1 py-2 text-sm font-medium',
              (isAlone || isDisabled) && 'pl-3',
            )}
          >
            {name}
          </span>
          {!isAlone && (
            <>
              <IconButton
                icon="arrow-up"
                label={`Mută mai sus: ${name}`}
                data-part="up"
                isDisabled={isDisabled || isFirst}
                onPress={() => onStep(-1)}
              />
              <IconButton
                icon="arrow-down"
                label={`Mută mai jos: ${name}`}
                data-part="down"
                isDisabled={isDisabled || isLast}
                onPress={() => onStep(1)}
              />
            </>
          )}
          <IconButton
            icon="trash"
            label={`Șterge: ${name}`}
            data-part="remove"
            isDisabled={isDisabled || !canRemove}
            {...(!canRemove && limitId && { 'aria-describedby': limitId })}
            onPress={onRemove}
          />
        </div>
        <div data-part="fields" className="grid gap-x-4 gap-y-5 p-4 @lg:grid-cols-2">
          {children}
        </div>
      </Group>
    </li>
  )
}
