import { expect, it } from 'vitest'
import { readGroupKey } from './group-keys.ts'

const press = (key: string, over = {}) =>
  readGroupKey({ key, repeat: false, ctrlKey: false, metaKey: false, altKey: false, ...over })

it('each key has its command, and letters and digits search a patient', () => {
  expect([' ', 'ArrowRight', 'Enter', 'z', 'Delete', '/', 'p', 'Ș', '2'].map((key) => press(key))).toEqual([
    'preview',
    'panel',
    'accept',
    'undo',
    'remove',
    'search',
    'search',
    'search',
    'search',
  ])
  expect(['Tab', 'Escape', 'F5', '?'].map((key) => press(key))).toEqual([null, null, null, null])
})

it('Ctrl Enter accepts all sure groups, and other keys with Ctrl or Alt belong to the browser', () => {
  expect(press('Enter', { ctrlKey: true })).toBe('accept-sure')
  expect(press('Enter', { metaKey: true })).toBe('accept-sure')
  expect(press('z', { ctrlKey: true })).toBeNull()
  expect(press('p', { altKey: true })).toBeNull()
})

it('a key that is held down only moves', () => {
  expect(press('ArrowDown', { repeat: true })).toBe('next')
  for (const key of ['Enter', 'z', 'Delete']) expect(press(key, { repeat: true })).toBeNull()
  expect(press('Enter', { repeat: true, ctrlKey: true })).toBeNull()
})
