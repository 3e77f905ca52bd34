import type { FormKitNode } from '@formkit/core'
import type { ReactNode } from 'react'
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
  const known = useKnown(cnp, { lookUp, onKnown })
  const { className, error, ...look } = fieldLook(context)
  return (
    <div className={classNames('grid gap-4', className)}>
      <MaskField
        {...look}
        mask="cnp"
        error={error ?? wholeCnpProblem(cnp)}
        value={cnp}
        onChange={(next) => {
          setValue(next)
          fillTold(node, next, context)
        }}
      />
      {known !== null && renderKnown?.(known)}
    </div>
  )
}

/** What the CNP tells wins over what stands in the fields beside it; what it does not tell stays. */
function fillTold(node: FormKitNode, cnp: string, names: Pick<CnpProps, 'birthDate' | 'sex'>): void {
  const told = toldByCnp(cnp)
  if (names.birthDate && told.birthDate) void node.at(names.birthDate)?.input(told.birthDate)
  if (names.sex && told.sex) void node.at(names.sex)?.input(told.sex)
}

/** The personal number; fills in what it tells of a person, and asks who has it. */
export const cnp = defineInput<CnpProps, string>(
  CnpInput,
  ['birthDate', 'sex', 'lookUp', 'renderKnown', 'onKnown'],
  { features: [ownRule('cnp')] },
)
