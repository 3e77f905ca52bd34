import { expect, it } from 'vitest'
import { library, productInputs } from './library.ts'

it('has the seven product inputs besides FormKit’s own [3.10]', () => {
  const productTypes = ['autocomplete', 'dropdown', 'mask', 'toggle', 'datepicker', 'repeater', 'colorpicker']
  for (const type of productTypes)
    expect(library[type]).toBe(productInputs[type as keyof typeof productInputs])
  expect(Object.keys(library)).toEqual(expect.arrayContaining(['select', 'radio', 'range', 'file', 'group']))
})
