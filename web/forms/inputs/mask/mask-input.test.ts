import { createNode } from '@formkit/core'
import { describe, expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'

const createField = (value: string | undefined, props: object) =>
  createNode({
    plugins: formKit.plugins ?? [],
    config: { ...formKit.config },
    type: 'input',
    value,
    props: { type: 'mask', label: 'Telefon', attrs: { mask: '### ###', ...props } },
  })
type Field = ReturnType<typeof createField>

const sentencesOf = ({ store }: Field) =>
  Object.values(store)
    .filter((message) => message?.type === 'validation' && message.blocking)
    .map(({ value }) => value)

describe('the input mask', () => {
  it.each([
    [undefined, {}, []],
    ['', {}, []],
    ['722123', {}, []],
    ['72212', {}, ['Telefon nu este complet.']],
    ['722 123', { unmasked: false }, []],
    ['722 12', { unmasked: false }, ['Telefon nu este complet.']],
    ['7221', { mask: '####[ ##]' }, []],
    ['72212', { mask: '####[ ##]' }, ['Telefon nu este complet.']],
    ['722', { mask: 'phone' }, ['Telefon nu este complet.']],
    ['722123456', { mask: 'phone' }, []],
  ])('with value %j and props %j has the errors %j [3.10]', (value, props, sentences) => {
    expect(sentencesOf(createField(value, props))).toEqual(sentences)
  })

  it('follows changes of the value and of the props', () => {
    const field = createField('722', {})
    expect(sentencesOf(field)).toEqual(['Telefon nu este complet.'])
    void field.input('722123', false)
    expect(sentencesOf(field)).toEqual([])
    field.props.mask = '### ### ###'
    expect(sentencesOf(field)).toEqual(['Telefon nu este complet.'])
    field.props.label = 'Fax'
    expect(sentencesOf(field)).toEqual(['Fax nu este complet.'])
    field.props.validation = 'required'
    expect(sentencesOf(field)).toEqual(['Fax nu este complet.'])
  })
})
