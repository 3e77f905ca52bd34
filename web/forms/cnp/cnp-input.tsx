import type { FormKitNode } from '@formkit/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { MaskField } from '../mask/mask-field.tsx'
import { ownRule } from '../own-rule.ts'
import { toldByCnp, wholeCnpProblem } from './cnp-facts.ts'
import { useKnown } from './use-known.ts'

/** Methods, so that each may take the person as what `lookUp` of the same field answers. */
export interface CnpProps {
  /** The names of the fields beside it that take what the CNP tells: yyyy-MM-dd, and `male` or `female`. */
  birthDate?: string | undefined
  sex?: string | undefined
  /** Who has this CNP; null for nobody. Asked once for each whole and valid number that stands in the field. */
  lookUp?(cnp: string, signal?: AbortSignal): Promise<unknown>
  /** What is shown under the field of whom `lookUp` has found. */
  renderKnown?(known: unknown): ReactNode
  /** Called with each answer, and with null when the number that somebody was found for no longer stands there. */
  onKnown?(known: unknown): void
}

function CnpInput({ context }: InputProps<CnpProps, string>) {
  const { node, lookUp, onKnown, renderKnown } = context
  const [value, setValue] = useFieldValue(context)
  const cnp = value ?? ''
  const filled = useRef<Filled>({})
  const last = useRef(cnp)
  // Whoever has written it: it may also come from somebody else, after a conflict.
  useEffect(() => {
    if (cnp === last.current) return
    last.current = cnp
    filled.current = fillTold(node, cnp, context, filled.current)
  }, [node, cnp, context])
  const known = useKnown(cnp, { lookUp, onKnown })
  const { className, error, ...look } = fieldLook(context)
  return (
    <div className={classNames('grid gap-4', className)}>
      <MaskField {...look} mask="cnp" error={error ?? wholeCnpProblem(cnp)} value={cnp} onChange={setValue} />
      {known !== null && renderKnown?.(known)}
    </div>
  )
}

/** What was written into a field beside it, and what stood there before. */
type Filled = Record<string, { told: string; before: unknown }>

/**
 * What the CNP tells wins over what stands in the fields beside it; what it does not tell stays. Where it no longer tells
 * it, what stood there before comes back, unless somebody has written something else since.
 */
function fillTold(
  node: FormKitNode,
  cnp: string,
  names: Pick<CnpProps, 'birthDate' | 'sex'>,
  filled: Filled,
): Filled {
  const told = toldByCnp(cnp)
  const next: Filled = {}
  for (const [name, value] of [
    [names.birthDate, told.birthDate],
    [names.sex, told.sex],
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
  ['birthDate', 'sex', 'lookUp', 'renderKnown', 'onKnown'],
  { features: [ownRule('cnp')] },
)
