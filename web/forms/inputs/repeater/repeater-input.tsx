import type { FormKitNode } from '@formkit/core'
import { disablesChildren } from '@formkit/inputs'
import { parentSymbol } from '@formkit/react'
import { cloneAny } from '@formkit/utils'
import type { ReactNode } from 'react'
import { defineInput, fieldBaseProps, type InputProps } from '../../core/input.ts'
import { keepItemNodes, validateCount } from './item-nodes.ts'
import { moveItem } from './items.ts'
import { Repeater } from './repeater.tsx'

export interface RepeaterFieldProps {
  /** The fields of one item, rendered for each item. */
  children: ReactNode
  /** The minimum number of items. */
  min?: number | undefined
  /** The maximum number of items. */
  max?: number | undefined
  addLabel?: string | undefined
  /** Returns the name of an item by its number from 1: `Persoana 2`. */
  itemLabel?: ((number: number) => string) | undefined
}

type Item = Record<string, unknown>

function RepeaterInput({ context, slots }: InputProps<RepeaterFieldProps, Item[]>) {
  const { node, min = 0, max = Number.POSITIVE_INFINITY, addLabel = 'Adaugă' } = context
  const itemLabel = context.itemLabel ?? ((number: number) => `Elementul ${number}`)
  const { label, hideLabel, help, error, className, isRequired, isDisabled, onBlur } = fieldBaseProps(context)

  const change = async (edit: (items: Item[]) => Item[]) => {
    // Waits until debounced input is committed.
    await node.settled
    // The same objects, not copies: FormKit matches items to nodes by identity.
    await node.input(edit(node._value as Item[]), false)
  }
  const remove = (index: number) => {
    let removed: Item = {}
    void change((items) => {
      removed = cloneAny(items[index] ?? {})
      return items.filter((_, other) => other !== index)
    })
    return () => void change((items) => items.toSpliced(index, 0, removed))
  }

  return (
    <Repeater
      {...{ label, hideLabel, help, error, className, isDisabled, onBlur, min, max, addLabel, itemLabel }}
      isRequired={isRequired || min > 0}
      items={context.items.map(String)}
      renderItem={(index) => (
        <parentSymbol.Provider value={node.children[index] as FormKitNode}>
          {slots.default?.()}
        </parentSymbol.Provider>
      )}
      onAdd={() => void change((items) => [...items, {}])}
      onRemove={remove}
      onMove={(from, to) => void change((items) => moveItem(items, from, to))}
    />
  )
}

/** A list of groups of the same fields [3.10]; the value is an array of objects. */
export const repeater = defineInput<RepeaterFieldProps, Item[]>(
  RepeaterInput,
  ['min', 'max', 'addLabel', 'itemLabel'],
  { type: 'list', features: [disablesChildren, keepItemNodes, validateCount] },
)
