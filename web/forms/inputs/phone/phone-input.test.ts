import { createNode } from '@formkit/core'
import { expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'

it.each([
  ['', []],
  ['+40722123456', []],
  ['+37322123456', []],
  ['0722 12', ['Numărul de telefon nu are numărul corect de cifre.']],
  ['0522123456', ['Numărul începe cu 0 în România (07…, 02…, 03…) sau cu + și prefixul țării.']],
  ['secretariat', ['Numărul de telefon conține doar cifre, eventual cu + la început.']],
])(
  'the input phone, without a rule on the field, validates %j with the errors %j [3.10]',
  (value, sentences) => {
    const field = createNode({
      plugins: formKit.plugins ?? [],
      config: { ...formKit.config },
      type: 'input',
      value,
      props: { type: 'phone', label: 'Telefon' },
    })
    const messages = Object.values(field.store).filter((message) => message?.type === 'validation')
    expect(messages.map(({ value }) => value)).toEqual(sentences)
  },
)
