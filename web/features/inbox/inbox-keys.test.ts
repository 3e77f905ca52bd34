import { describe, expect, it } from 'vitest'
import { INBOX_SHORTCUTS, readInboxKey } from './inbox-keys.ts'

const press = (key: string, over: object = {}) =>
  readInboxKey({
    key,
    repeat: false,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...over,
  })

describe('readInboxKey', () => {
  it.each([
    ['j', 'next'],
    ['K', 'previous'],
    ['p', 'take'],
    ['e', 'handle'],
    ['u', 'undo'],
    ['x', 'select'],
    ['/', 'search'],
    ['?', 'help'],
    ['Escape', 'clear'],
    ['Enter', null],
    ['a', null],
  ])('%s is %s', (key, command) => {
    expect(press(key)).toBe(command)
  })

  it('leaves the shortcuts of the browser alone, and repeats no mark', () => {
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      expect(press('e', { [modifier]: true })).toBeNull()
    expect(press('e', { repeat: true })).toBeNull()
    expect(press('j', { repeat: true })).toBe('next')
  })

  it('chooses a row with X, and all since the last one with Shift', () => {
    expect(press('X')).toBe('select')
    expect(press('X', { shiftKey: true })).toBe('select-range')
    expect(press('?', { shiftKey: true })).toBe('help')
  })

  it('lists every key once', () => {
    const labels = INBOX_SHORTCUTS.map((shortcut) => shortcut.labels.join(' '))
    expect(new Set(labels).size).toBe(labels.length)
  })
})
