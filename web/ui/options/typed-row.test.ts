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

test('a text means the only row, or the row of its name [3.10]', () => {
  expect(findOnlyRow([jiu], 'tar')).toBe(jiu)
  expect(findOnlyRow([jiu, mures], 'targu mures')).toBe(mures)
  expect(findOnlyRow([jiu, mures], 'targu')).toBeNull()
  expect(findOnlyRow([], 'targu')).toBeNull()
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
