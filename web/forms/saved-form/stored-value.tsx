import type { FormKitNode } from '@formkit/core'
import type { ReactNode } from 'react'
import type { Option } from '../../ui/options/option.ts'
import { flatOptions } from '../../ui/options/option.ts'
import type { InputDefinition } from '../core/input.ts'
import type { ToggleOption } from '../inputs/toggle/toggle.tsx'

/** The maximum length of a shown text in characters; longer texts are cut and end with „…”. */
const MAX_SHOWN_LENGTH = 80

const shorten = (text: string) => {
  const characters = [...text.trim().replace(/\s+/g, ' ')]
  return characters.length > MAX_SHOWN_LENGTH
    ? `${characters.slice(0, MAX_SHOWN_LENGTH).join('')}…`
    : characters.join('')
}

/** Returns the label of an option, or null if the form does not know the label. */
function findLabel({ props }: FormKitNode, id: unknown): string | null {
  const all = flatOptions([...(props.options ?? []), ...[props.chosen ?? []].flat()])
  const option = (all as (Option | ToggleOption)[]).find(
    (each) => ('id' in each ? each.id : each.value) === id,
  )
  return option?.label ?? (props.acceptsCustomText ? String(id) : null)
}

/** Formats a value of a field for people; null if the field has no short form for it. */
export function showStored(field: FormKitNode, value: unknown): ReactNode {
  const { definition, options, loadOptions } = field.props
  if (value === null || value === undefined || value === '') return 'necompletat'
  if (Array.isArray(value) && value.length === 0) return 'necompletat'
  const { showValue } = definition as InputDefinition<unknown, unknown>
  if (showValue) return showValue(value)
  if (typeof value === 'boolean') return value ? 'da' : 'nu'
  if (options || loadOptions) {
    const labels = [value].flat().map((id) => findLabel(field, id))
    return labels.includes(null) ? null : labels.join(', ')
  }
  return typeof value === 'string' ? `„${shorten(value)}”` : null
}
