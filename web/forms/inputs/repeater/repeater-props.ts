import type { ReactNode } from 'react'
import type { FieldBaseProps } from '../../../ui/controls/field.tsx'

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
