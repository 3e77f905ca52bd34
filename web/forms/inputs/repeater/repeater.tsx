import { type ReactNode, useId, useRef } from 'react'
import { FieldErrorContext, Group, LabelContext, Provider, TextContext } from 'react-aria-components'
import { Button } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { fieldClass } from '../../../ui/controls/field-styles.ts'
import { RepeaterItem } from './repeater-item.tsx'
import type { RepeaterProps } from './repeater-props.ts'
import { useItemActions } from './use-item-actions.ts'
import { useItemDrag } from './use-item-drag.ts'

/** A list of groups of the same fields, which the user adds, removes, restores and reorders. */
export function Repeater(props: RepeaterProps) {
  const { items, itemLabel, error, min, isDisabled = false } = props
  const id = useId()
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { add, remove, move, step, announcement } = useItemActions(props, list, addButton)
  const { drag, handleProps } = useItemDrag(list, move)
  const limit = limitText(props)
  return (
    <RepeaterGroup {...props} id={id}>
      {items.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-center text-sm text-muted">
          Nimic adăugat.
        </p>
      )}
      <ItemContexts>
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
              {props.renderItem(index)}
            </RepeaterItem>
          ))}
        </ol>
      </ItemContexts>
      <div
        data-invalid={error ? true : undefined}
        className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1"
      >
        <Button
          ref={addButton}
          icon="plus"
          isDisabled={isDisabled || isFull(props)}
          onPress={add}
          {...(isFull(props) && { 'aria-describedby': `${id}-limit` })}
        >
          {props.addLabel}
        </Button>
        {limit && !isDisabled && (
          <span id={`${id}-limit`} className="text-sm text-muted">
            {limit}
          </span>
        )}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </RepeaterGroup>
  )
}

/** Items have fields with labels, help and errors of their own. */
const ItemContexts = ({ children }: { children: ReactNode }) => (
  <Provider
    values={[
      [LabelContext, {}],
      [TextContext, {}],
      [FieldErrorContext, null],
    ]}
  >
    {children}
  </Provider>
)

/** The group that label, help and error describe. */
function RepeaterGroup({
  id,
  label,
  hideLabel,
  help,
  error,
  className,
  isRequired,
  onBlur,
  children,
}: RepeaterProps & { id: string; children: ReactNode }) {
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
        {children}
        <FieldNotes help={help} error={error} />
      </Provider>
    </Group>
  )
}

const isFull = ({ items, max }: RepeaterProps): boolean => items.length >= max

/** Returns why no item can be added or removed; null while both are possible. */
function limitText(props: RepeaterProps): string | null {
  if (isFull(props)) return `Poți adăuga cel mult ${props.max}.`
  const isShort = props.min > 0 && props.items.length <= props.min
  return isShort && !props.error ? `Este nevoie de cel puțin ${props.min}.` : null
}

/** Returns on which side of the item at `index` the dragged item would be dropped; null if elsewhere. */
function dropSide(drag: { from: number; to: number } | null, index: number): 'before' | 'after' | null {
  if (!drag || drag.to !== index) return null
  return drag.to < drag.from ? 'before' : 'after'
}
