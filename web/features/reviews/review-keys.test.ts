import { describe, expect, it } from 'vitest'
import { type KeyPress, REVIEW_KEYS, readReviewKey } from './review-keys.ts'

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isTyping: false,
  ...over,
})

describe('readReviewKey', () => {
  it.each([
    ['a', 'accept'],
    ['A', 'accept'],
    ['r', 'reject'],
    ['n', 'next'],
    ['j', 'next'],
    ['e', 'edit'],
    [' ', 'screen-down'],
    ['ArrowDown', 'scroll-down'],
    ['ArrowRight', 'next-page'],
    ['PageUp', 'previous-page'],
    ['.', 'next-file'],
    [',', 'previous-file'],
    ['=', 'zoom-in'],
    ['0', 'zoom-fit'],
    ['?', 'help'],
  ])('%s asks for %s', (key, command) => {
    expect(readReviewKey(press(key))).toBe(command)
  })

  it('reads capitals and the question mark with the shift key held', () => {
    expect(readReviewKey(press('A', { shiftKey: true }))).toBe('accept')
    expect(readReviewKey(press('?', { shiftKey: true }))).toBe('help')
    expect(readReviewKey(press(' ', { shiftKey: true }))).toBe('screen-up')
  })

  it.each(['Enter', 'Escape', 'Tab', 'x', 'ă', 'F5', 'Shift', '1'])('leaves %s alone', (key) => {
    expect(readReviewKey(press(key))).toBeNull()
  })

  it('asks for nothing while a field is being written in, or with a modifier held', () => {
    for (const { keys } of REVIEW_KEYS) {
      const key = keys[0]!.replace('shift+', '')
      for (const held of ['isTyping', 'ctrlKey', 'metaKey', 'altKey'] as const) {
        expect(readReviewKey(press(key, { [held]: true }))).toBeNull()
      }
    }
  })

  it('gives no verdict, moves to no other upload and opens nothing while a key is held down', () => {
    for (const key of ['a', 'r', 'n', 'j', 'e', '?', '.', ',']) {
      expect(readReviewKey(press(key, { repeat: true }))).toBeNull()
    }
    expect(readReviewKey(press('ArrowDown', { repeat: true }))).toBe('scroll-down')
  })

  it('binds no key twice', () => {
    const keys = REVIEW_KEYS.flatMap((binding) => binding.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
