import { describe, expect, it } from 'vitest'
import { type KeyPress, REVIEW_SHORTCUTS, readReviewKey } from './review-keys.ts'

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
  ])('%s is the command %s', (key, command) => {
    expect(readReviewKey(press(key))).toBe(command)
  })

  it('reads capitals and the question mark with the shift key', () => {
    expect(readReviewKey(press('A', { shiftKey: true }))).toBe('accept')
    expect(readReviewKey(press('?', { shiftKey: true }))).toBe('help')
    expect(readReviewKey(press(' ', { shiftKey: true }))).toBe('screen-up')
  })

  it.each(['Enter', 'Escape', 'Tab', 'x', 'ă', 'F5', 'Shift', '1'])('ignores %s', (key) => {
    expect(readReviewKey(press(key))).toBeNull()
  })

  it('returns null while a field has the focus or with a modifier key', () => {
    for (const { keys } of REVIEW_SHORTCUTS) {
      const key = keys[0]!.replace('shift+', '')
      for (const property of ['isTyping', 'ctrlKey', 'metaKey', 'altKey'] as const) {
        expect(readReviewKey(press(key, { [property]: true }))).toBeNull()
      }
    }
  })

  it('repeats no verdict, navigation or dialog while a key is held down', () => {
    for (const key of ['a', 'r', 'n', 'j', 'e', '?', '.', ',']) {
      expect(readReviewKey(press(key, { repeat: true }))).toBeNull()
    }
    expect(readReviewKey(press('ArrowDown', { repeat: true }))).toBe('scroll-down')
  })

  it('every key has one command', () => {
    const keys = REVIEW_SHORTCUTS.flatMap((binding) => binding.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
