import { expect, test } from 'vitest'
import { optionColumns } from './options.ts'

test('options with help are stacked, short options share a row [3.9]', () => {
  expect(optionColumns([{ label: 'Da' }, { label: 'Nu', help: 'Se poate schimba mai târziu.' }])).toBe(
    'minmax(0, 1fr)',
  )
  expect(optionColumns([{ label: 'Da' }, { label: 'Nu știu' }])).toBe(
    'repeat(auto-fit, minmax(min(100%, max((100% - 1px) / 2, (2 * (7 * 0.9ch + 3.5rem) - 100%) * 999)), 1fr))',
  )
})
