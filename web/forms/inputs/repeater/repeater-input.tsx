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
  /** The fields of one item; they are there again for each. */
  children: ReactNode
  /** Fewer are refused. */
  min?: number | undefined
  /** No more can be added. */
  max?: number | undefined
  addLabel?: string | undefined
  /** What an item is called, by its number from 1: `Persoana 2`. */
  itemLabel?: ((number: number) => string) | undefined
}

type Item = Record<string, unknown>

function RepeaterInput({ context, slots }: InputProps<RepeaterFieldProps, Item[]>) {
  const { node, min = 0, max = Number.POSITIVE_INFINITY, addLabel = 'Adaugă' } = context
  const itemLabel = context.itemLabel ?? ((number: number) => `Elementul ${number}`)
  const { label, hideLabel, help, error, className, isRequired, isDisabled, onBlur } = fieldBaseProps(context)

  const change = async (edit: (items: Item[]) => Item[]) => {
    // What was typed a moment ago is in the values only then.
    await node.settled
    // The values themselves, not copies: by them FormKit knows which item is which.
    await node.input(edit(node._value as Item[]), false)
  }
  const remove = (place: number) => {
    let removed: Item = {}
    void change((items) => {
      removed = cloneAny(items[place] ?? {})
      return items.filter((_, other) => other !== place)
    })
    return () => void change((items) => items.toSpliced(place, 0, removed))
  }

  return (
    <Repeater
      {...{ label, hideLabel, help, error, className, isDisabled, onBlur, min, max, addLabel, itemLabel }}
      isRequired={isRequired || min > 0}
      items={context.items.map(String)}
      renderItem={(place) => (
        <parentSymbol.Provider value={node.children[place] as FormKitNode}>
          {slots.default?.()}
        </parentSymbol.Provider>
      )}
      onAdd={() => void change((items) => [...items, {}])}
      onRemove={remove}
      onMove={(from, to) => void change((items) => moveItem(items, from, to))}
    />
  )
}

/** A list of groups of the same fields [3.10]; its value is an array of objects. */
export const repeater = defineInput<RepeaterFieldProps, Item[]>(
  RepeaterInput,
  ['min', 'max', 'addLabel', 'itemLabel'],
  { type: 'list', features: [disablesChildren, keepItemNodes, validateCount] },
)
