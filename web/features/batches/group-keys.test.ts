import { expect, it } from 'vitest'
import { readGroupKey } from './group-keys.ts'

const press = (key: string, over = {}) =>
  readGroupKey({
    key,
    repeat: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...over,
  })

it('each key has its command, and letters and digits search a patient', () => {
  expect(
    [' ', 'ArrowRight', 'Enter', 'Delete', '/', 'p', 'z', 'Z', 'Ș', '2'].map((key) => press(key)),
  ).toEqual([
    'preview',
    'panel',
    'accept',
    'remove',
    'search',
    'search',
    'search',
    'search',
    'search',
    'search',
  ])
  expect(['Tab', 'Escape', 'F5', '?'].map((key) => press(key))).toEqual([null, null, null, null])
})

it('Ctrl Enter accepts all sure groups, Ctrl Z takes back, and other keys with Ctrl or Alt belong to the browser', () => {
  expect(press('Enter', { ctrlKey: true })).toBe('accept-sure')
  expect(press('Enter', { metaKey: true })).toBe('accept-sure')
  for (const key of ['z', 'Z']) expect(press(key, { ctrlKey: true })).toBe('undo')
  expect(press('z', { metaKey: true })).toBe('undo')
  expect(press('Z', { ctrlKey: true, shiftKey: true })).toBeNull()
  expect(press('f', { ctrlKey: true })).toBeNull()
  expect(press('p', { altKey: true })).toBeNull()
})

it('a key that is held down only moves', () => {
  expect(press('ArrowDown', { repeat: true })).toBe('next')
  for (const key of ['Enter', 'p', 'Delete']) expect(press(key, { repeat: true })).toBeNull()
  for (const key of ['Enter', 'z']) expect(press(key, { repeat: true, ctrlKey: true })).toBeNull()
})
