import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { FieldErrorContext, Group, LabelContext, Provider, TextContext } from 'react-aria-components'
import { Button } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { fieldClass } from '../../../ui/controls/field-styles.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { focusFirst, focusPart } from './item-focus.ts'
import { RepeaterItem } from './repeater-item.tsx'
import { useItemDrag } from './use-item-drag.ts'

export interface RepeaterProps extends FieldBaseProps {
  /** A key for each item, which it keeps wherever it moves. */
  items: readonly string[]
  /** The fields of the item at a place. */
  renderItem: (place: number) => ReactNode
  /** What the item is called, by its number from 1. */
  itemLabel: (number: number) => string
  addLabel: string
  min: number
  max: number
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  onAdd: () => void
  /** Answers what puts the item back. */
  onRemove: (place: number) => () => void
  onMove: (from: number, to: number) => void
  onBlur?: (() => void) | undefined
}

/** Groups of the same fields, as many as are needed: added, removed, put back and put in order. */
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
  const foot = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const focusOnceChanged = useFocusOnceChanged(items)
  const closeOnLeave = useCloseOnLeave()
  const itemAt = (place: number) => list.current?.children[place]

  const focusFields = (place: () => number) => () => focusFirst(itemAt(place()))
  const add = () => {
    focusOnceChanged(focusFields(() => (list.current?.children.length ?? 0) - 1))
    onAdd()
  }
  const remove = (place: number) => {
    focusOnceChanged(() => {
      const next = itemAt(place) ?? itemAt(place - 1)
      if (next) focusPart(next, 'remove')
      else foot.current?.querySelector('button')?.focus()
    })
    const putBack = onRemove(place)
    closeOnLeave(
      showToast({
        tone: 'info',
        title: `Am șters: ${itemLabel(place + 1)}`,
        action: {
          label: 'Anulează ștergerea',
          onAction: () => {
            focusOnceChanged(focusFields(() => Math.min(place, (list.current?.children.length ?? 0) - 1)))
            putBack()
          },
        },
      }),
    )
  }
  const move = (from: number, to: number) => {
    setSaid(`${itemLabel(from + 1)} s-a mutat pe locul ${to + 1} din ${items.length}.`)
    onMove(from, to)
  }
  const step = (from: number, to: number) => {
    focusOnceChanged(() => {
      const item = itemAt(to)
      if (item) focusPart(item, to < from ? 'up' : 'down', to < from ? 'down' : 'up')
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
            {items.map((key, place) => (
              <RepeaterItem
                key={key}
                name={itemLabel(place + 1)}
                isFirst={place === 0}
                isLast={place === items.length - 1}
                isDisabled={isDisabled}
                canRemove={items.length > min}
                limitId={limit ? `${id}-limit` : undefined}
                drag={drag?.from === place ? 'lifted' : dropSide(drag, place)}
                handleProps={handleProps(place)}
                onStep={(by) => step(place, place + by)}
                onRemove={() => remove(place)}
              >
                {renderItem(place)}
              </RepeaterItem>
            ))}
          </ol>
        </Provider>
        <div
          ref={foot}
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
        {said}
      </p>
    </Group>
  )
}

/** On which side of the item at `place` the dragged one would come to stand. */
function dropSide(drag: { from: number; to: number } | null, place: number): 'before' | 'after' | null {
  if (!drag || drag.to !== place) return null
  return drag.to < drag.from ? 'before' : 'after'
}

/** Puts the keyboard somewhere when the items have changed: before that, where it is to go is not there or not in place. */
function useFocusOnceChanged(items: readonly string[]) {
  const wanted = useRef<(() => void) | null>(null)
  const order = items.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that counts
  useLayoutEffect(() => {
    wanted.current?.()
    wanted.current = null
  }, [order])
  return (focus: () => void) => {
    wanted.current = focus
  }
}

/** Takes away with the form what offers to put something back into it. */
function useCloseOnLeave() {
  const closers = useRef<(() => void)[]>([])
  useEffect(() => () => closers.current.forEach((close) => void close()), [])
  return (close: () => void) => void closers.current.push(close)
}
