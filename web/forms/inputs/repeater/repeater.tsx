import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { FieldErrorContext, Group, LabelContext, Provider, TextContext } from 'react-aria-components'
import { Button } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { fieldClass } from '../../../ui/controls/field-styles.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { focusFirst, focusItemButton } from './item-focus.ts'
import { RepeaterItem } from './repeater-item.tsx'
import { useItemDrag } from './use-item-drag.ts'

export interface RepeaterProps extends FieldBaseProps {
  /** A key for each item, which the item keeps when it moves. */
  items: readonly string[]
  /** Renders the fields of the item at an index. */
  renderItem: (index: number) => ReactNode
  /** Returns the name of an item by its number from 1. */
  itemLabel: (number: number) => string
  addLabel: string
  min: number
  max: number
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  onAdd: () => void
  /** Removes the item and returns a function that restores it. */
  onRemove: (index: number) => () => void
  onMove: (from: number, to: number) => void
  onBlur?: (() => void) | undefined
}

/** A list of groups of the same fields, which the user adds, removes, restores and reorders. */
export function Repeater({
  label,
  hideLabel,
  help,
  error,
  className,
  items,
  renderItem,
  itemLabel,
  addLabel,
  min,
  max,
  isRequired = false,
  isDisabled = false,
  onAdd,
  onRemove,
  onMove,
  onBlur,
}: RepeaterProps) {
  const id = useId()
  const list = useRef<HTMLOListElement>(null)
  const footer = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const focusOnceChanged = useFocusOnceChanged(items)
  const closeOnLeave = useCloseOnLeave()
  const itemAt = (index: number) => list.current?.children[index]

  const focusFields = (index: () => number) => () => focusFirst(itemAt(index()))
  const add = () => {
    focusOnceChanged(focusFields(() => (list.current?.children.length ?? 0) - 1))
    onAdd()
  }
  const remove = (index: number) => {
    focusOnceChanged(() => {
      const next = itemAt(index) ?? itemAt(index - 1)
      if (next) focusItemButton(next, 'remove')
      else footer.current?.querySelector('button')?.focus()
    })
    const restore = onRemove(index)
    closeOnLeave(
      showToast({
        tone: 'info',
        title: `Am șters: ${itemLabel(index + 1)}`,
        action: {
          label: 'Anulează ștergerea',
          onAction: () => {
            focusOnceChanged(focusFields(() => Math.min(index, (list.current?.children.length ?? 0) - 1)))
            restore()
          },
        },
      }),
    )
  }
  const move = (from: number, to: number) => {
    setAnnouncement(`${itemLabel(from + 1)} s-a mutat pe locul ${to + 1} din ${items.length}.`)
    onMove(from, to)
  }
  const step = (from: number, to: number) => {
    focusOnceChanged(() => {
      const item = itemAt(to)
      if (item) focusItemButton(item, to < from ? 'up' : 'down', to < from ? 'down' : 'up')
    })
    move(from, to)
  }
  const { drag, handleProps } = useItemDrag(list, move)

  const isFull = items.length >= max
  const limit = isFull
    ? `Poți adăuga cel mult ${max}.`
    : min > 0 && items.length <= min && !error
      ? `Este nevoie de cel puțin ${min}.`
      : null
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')

  return (
    <Group
      aria-labelledby={`${id}-label`}
      {...(describedBy && { 'aria-describedby': describedBy })}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onBlur?.()}
      className={classNames(fieldClass, 'col-span-full', className)}
    >
      <Provider
        values={[
          [LabelContext, { id: `${id}-label`, elementType: 'span' }],
          [
            TextContext,
            { slots: { description: { id: `${id}-help` }, errorMessage: { id: `${id}-error` } } },
          ],
          [
            FieldErrorContext,
            { isInvalid: !!error, validationErrors: [], validationDetails: {} as ValidityState },
          ],
        ]}
      >
        <FieldLabel label={label} hideLabel={hideLabel} isRequired={isRequired} />
        {items.length === 0 && (
          <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-center text-sm text-muted">
            Nimic adăugat.
          </p>
        )}
        <Provider
          values={[
            [LabelContext, {}],
            [TextContext, {}],
            [FieldErrorContext, null],
          ]}
        >
          <ol ref={list} className="grid gap-3 empty:hidden">
            {items.map((key, index) => (
              <RepeaterItem
                key={key}
                name={itemLabel(index + 1)}
                isFirst={index === 0}
                isLast={index === items.length - 1}
                isDisabled={isDisabled}
                canRemove={items.length > min}
                limitId={limit ? `${id}-limit` : undefined}
                drag={drag?.from === index ? 'lifted' : dropSide(drag, index)}
                handleProps={handleProps(index)}
                onStep={(by) => step(index, index + by)}
                onRemove={() => remove(index)}
              >
                {renderItem(index)}
              </RepeaterItem>
            ))}
          </ol>
        </Provider>
        <div
          ref={footer}
          data-invalid={error ? true : undefined}
          className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1"
        >
          <Button
            icon="plus"
            isDisabled={isDisabled || isFull}
            onPress={add}
            {...(isFull && { 'aria-describedby': `${id}-limit` })}
          >
            {addLabel}
          </Button>
          {limit && !isDisabled && (
            <span id={`${id}-limit`} className="text-sm text-muted">
              {limit}
            </span>
          )}
        </div>
        <FieldNotes help={help} error={error} />
      </Provider>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </Group>
  )
}

/** Returns on which side of the item at `index` the dragged item would be dropped; null if elsewhere. */
function dropSide(drag: { from: number; to: number } | null, index: number): 'before' | 'after' | null {
  if (!drag || drag.to !== index) return null
  return drag.to < drag.from ? 'before' : 'after'
}

/**
 * Returns a function that schedules a focus change for after the next change of the items, because the target
 * is not rendered before.
 */
function useFocusOnceChanged(items: readonly string[]) {
  const pendingFocus = useRef<(() => void) | null>(null)
  const order = items.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the order
  useLayoutEffect(() => {
    pendingFocus.current?.()
    pendingFocus.current = null
  }, [order])
  return (focus: () => void) => {
    pendingFocus.current = focus
  }
}

/** Closes the toasts that offer to restore an item when the form is closed. */
function useCloseOnLeave() {
  const closers = useRef<(() => void)[]>([])
  useEffect(() => () => closers.current.forEach((close) => void close()), [])
  return (close: () => void) => void closers.current.push(close)
}
