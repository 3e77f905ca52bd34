import { expect, test } from 'vitest'
import { findOnlyRow, findTypedRow, type Row } from './typed-row.ts'

const row = (label: string, kind: Partial<Row> = {}): Row => ({
  id: label.toLowerCase(),
  label,
  isChosen: false,
  isAction: false,
  ...kind,
})
const all = () => true
const jiu = row('Târgu Jiu')
const mures = row('Târgu Mureș')
const create = row('Adaugă „targu”', { isAction: true })

test('a text means the only row, or the only row of its name [3.10]', () => {
  expect(findOnlyRow([jiu], 'tar', false)).toBe(jiu)
  expect(findOnlyRow([jiu, mures], 'targu mures', false)).toBe(mures)
  expect(findOnlyRow([jiu, mures], 'targu', false)).toBeNull()
  expect(findOnlyRow([], 'targu', false)).toBeNull()
})

test('a text means none of several people of one name, nor a row while there are more [3.10]', () => {
  const [one, other] = [row('Popescu Ion', { id: 'one' }), row('Popescu Ion', { id: 'other' })]
  expect(findOnlyRow([one, other], 'popescu ion', false)).toBeNull()
  expect(findOnlyRow([one, mures], 'popescu ion', true)).toBeNull()
  expect(findOnlyRow([one], 'popescu', true)).toBeNull()
  // The marked row, which the user sees.
  expect(findTypedRow([one, other], 'popescu ion', all)).toBe(one)
})

test('Enter chooses the only row, also one that creates an option [3.10]', () => {
  expect(findTypedRow([create], 'targu', all)).toBe(create)
})

test('Enter chooses the first matching option that is neither chosen nor an action [3.10]', () => {
  expect(findTypedRow([create, jiu, mures], 'targu', all)).toBe(jiu)
  expect(findTypedRow([{ ...jiu, isChosen: true }, mures, create], 'targu', all)).toBe(mures)
  expect(findTypedRow([row('Brașov'), jiu], 'targu', (label) => label.startsWith('Târgu'))).toBe(jiu)
  expect(findTypedRow([row('Brașov'), row('Iași')], 'targu', () => false)).toBeNull()
})
