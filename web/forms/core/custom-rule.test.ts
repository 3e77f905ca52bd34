import { createNode } from '@formkit/core'
import { describe, expect, it } from 'vitest'
import { customRule } from './custom-rule.ts'
import { formKit } from './form-kit.ts'
import { defineInput } from './input.ts'

const even = defineInput(() => null, [], { features: [customRule('starts_with:2')] })

const createField = (validation: string | undefined, value: unknown) =>
  createNode({
    plugins: formKit.plugins ?? [],
    config: { ...formKit.config },
    type: 'input',
    value,
    props: { definition: even, label: 'Cod', validation },
  })
type Field = ReturnType<typeof createField>

const rulesOf = (field: Field) => field.props.parsedRules.map(({ name }: { name: string }) => name)
const sentencesOf = (field: Field) =>
  Object.values(field.store)
    .filter((message) => message?.type === 'validation')
    .map(({ value }) => value)

describe('an input with a custom rule', () => {
  it.each([
    [undefined, ['starts_with']],
    ['', ['starts_with']],
    ['required|length:2', ['required', 'length', 'starts_with']],
    ['starts_with:7|required', ['starts_with', 'required']],
    ['required|?starts_with:7', ['required', 'starts_with']],
    ['(20)starts_with:7', ['starts_with']],
    ['not:starts_with', ['not', 'starts_with']],
  ])('runs the custom rule after the rules of the field: %s', (validation, rules) => {
    expect(rulesOf(createField(validation, 'x'))).toEqual(rules)
  })

  it('shows the error of the custom rule only if the rules of the field pass and the value is not empty', () => {
    expect(sentencesOf(createField(undefined, '12'))).toEqual(['Cod trebuie să înceapă cu „2”.'])
    expect(sentencesOf(createField('required', ''))).toEqual(['Cod este necesar.'])
    expect(sentencesOf(createField(undefined, ''))).toEqual([])
    expect(sentencesOf(createField('required', '21'))).toEqual([])
  })

  it('keeps the custom rule when the rules of the field change', () => {
    const field = createField('required', '12')
    field.props.validation = 'length:1'
    expect(rulesOf(field)).toEqual(['length', 'starts_with'])
    expect(sentencesOf(field)).toEqual(['Cod trebuie să înceapă cu „2”.'])
  })
})
