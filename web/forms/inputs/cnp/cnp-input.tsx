import type { FormKitNode } from '@formkit/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../../ui/base/class-names.ts'
import { customRule } from '../../core/custom-rule.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { MaskField } from '../mask/mask-field.tsx'
import { detailsFromCnp, findCompleteCnpError } from './cnp-details.ts'
import { useCnpLookup } from './use-cnp-lookup.ts'

/**
 * The props of the field. The callbacks are methods, so that callers may use the type of their own `lookUp`
 * result.
 */
export interface CnpProps {
  /** The names of the fields of the same form that the CNP fills in: yyyy-MM-dd, and `male` or `female`. */
  birthDate?: string | undefined
  sex?: string | undefined
  /**
   * Returns the person with this CNP, or null if there is none. Called once for each complete and valid CNP.
   */
  lookUp?(cnp: string, signal?: AbortSignal): Promise<unknown>
  /** Renders the person found by `lookUp` under the field. */
  renderMatch?(known: unknown): ReactNode
  /** Called with each result of `lookUp`, and with null when the CNP changes after a person was found. */
  onKnown?(known: unknown): void
}

function CnpInput({ context }: InputProps<CnpProps, string>) {
  const { node, lookUp, onKnown, renderMatch } = context
  const [value, setValue] = useFieldValue(context)
  const cnp = value ?? ''
  const filled = useRef<Filled>({})
  const last = useRef(cnp)
  // Runs after every change of the value, also when a conflict merge changed it.
  useEffect(() => {
    if (cnp === last.current) return
    last.current = cnp
    filled.current = fillFromCnp(node, cnp, context, filled.current)
  }, [node, cnp, context])
  const known = useCnpLookup(cnp, { lookUp, onKnown })
  const { className, error, ...shared } = fieldBaseProps(context)
  return (
    <div className={classNames('grid gap-4', className)}>
      <MaskField
        {...shared}
        mask="cnp"
        error={error ?? findCompleteCnpError(cnp)}
        value={cnp}
        onChange={setValue}
      />
      {known !== null && renderMatch?.(known)}
    </div>
  )
}

/** By the name of a field that the CNP has filled: the value that it set, and the value before. */
type Filled = Record<string, { filledIn: string; before: unknown }>

/**
 * Writes the birth date and the sex of the CNP into their fields; what the CNP does not encode stays. When
 * the CNP no longer gives a value, the previous value is restored, unless the field was changed since.
 */
function fillFromCnp(
  node: FormKitNode,
  cnp: string,
  names: Pick<CnpProps, 'birthDate' | 'sex'>,
  filled: Filled,
): Filled {
  const known = detailsFromCnp(cnp)
  const next: Filled = {}
  for (const [name, value] of [
    [names.birthDate, known.birthDate],
    [names.sex, known.sex],
  ] as const) {
    const field = name ? node.at(name) : undefined
    if (!name || !field) continue
    const last = filled[name]
    const before = last && field._value === last.filledIn ? last.before : field._value
    if (value !== null) {
      next[name] = { filledIn: value, before }
      void field.input(value, false)
    } else if (last && before !== field._value) void field.input(before ?? null, false)
  }
  return next
}

/** The Romanian personal number (CNP); fills in birth date and sex, and looks up the person. */
export const cnp = defineInput<CnpProps, string>(
  CnpInput,
  ['birthDate', 'sex', 'lookUp', 'renderMatch', 'onKnown'],
  { features: [customRule('cnp')] },
)
