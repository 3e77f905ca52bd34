import type { FormKitNode } from '@formkit/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../../ui/base/class-names.ts'
import { customRule } from '../../core/custom-rule.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { MaskField } from '../mask/mask-field.tsx'
import { detailsFromCnp, wholeCnpProblem } from './cnp-details.ts'
import { useCnpLookup } from './use-cnp-lookup.ts'

/** Methods, so that each may take the person as what `lookUp` of the same field answers. */
export interface CnpProps {
  /** The names of the fields beside it that take what the CNP tells: yyyy-MM-dd, and `male` or `female`. */
  birthDate?: string | undefined
  sex?: string | undefined
  /** Who has this CNP; null for nobody. Asked once for each whole and valid number that stands in the field. */
  lookUp?(cnp: string, signal?: AbortSignal): Promise<unknown>
  /** What is shown under the field of whom `lookUp` has found. */
  renderMatch?(known: unknown): ReactNode
  /** Called with each answer, and with null when the number that somebody was found for no longer stands there. */
  onKnown?(known: unknown): void
}

function CnpInput({ context }: InputProps<CnpProps, string>) {
  const { node, lookUp, onKnown, renderMatch } = context
  const [value, setValue] = useFieldValue(context)
  const cnp = value ?? ''
  const filled = useRef<Filled>({})
  const last = useRef(cnp)
  // Whoever has written it: it may also come from somebody else, after a conflict.
  useEffect(() => {
    if (cnp === last.current) return
    last.current = cnp
    filled.current = fillFromCnp(node, cnp, context, filled.current)
  }, [node, cnp, context])
  const known = useCnpLookup(cnp, { lookUp, onKnown })
  const { className, error, ...look } = fieldBaseProps(context)
  return (
    <div className={classNames('grid gap-4', className)}>
      <MaskField {...look} mask="cnp" error={error ?? wholeCnpProblem(cnp)} value={cnp} onChange={setValue} />
      {known !== null && renderMatch?.(known)}
    </div>
  )
}

/** What was written into a field beside it, and what stood there before. */
type Filled = Record<string, { told: string; before: unknown }>

/**
 * What the CNP tells wins over what stands in the fields beside it; what it does not tell stays. Where it no longer tells
 * it, what stood there before comes back, unless somebody has written something else since.
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
    const before = last && field._value === last.told ? last.before : field._value
    if (value !== null) {
      next[name] = { told: value, before }
      void field.input(value, false)
    } else if (last && before !== field._value) void field.input(before ?? null, false)
  }
  return next
}

/** The personal number; fills in what it tells of a person, and asks who has it. */
export const cnp = defineInput<CnpProps, string>(
  CnpInput,
  ['birthDate', 'sex', 'lookUp', 'renderMatch', 'onKnown'],
  { features: [customRule('cnp')] },
)
