import { describe, expect, it } from 'vitest'
import { describeColourMode, parseColourPreference } from './colour-mode.ts'

describe('colour mode', () => {
  it('shows the preferred mode regardless of the operating system [3.3]', () => {
    expect(describeColourMode({ preference: 'dark', system: 'light', forced: null })).toEqual({
      preference: 'dark',
      value: 'dark',
      unknown: false,
      forced: false,
    })
  })

  it('follows the operating system and its changes when the preference is „system” [4.6]', () => {
    expect(describeColourMode({ preference: 'system', system: 'dark', forced: null }).value).toBe('dark')
    expect(describeColourMode({ preference: 'system', system: 'light', forced: null }).value).toBe('light')
  })

  it('is unknown and light while the mode of the operating system is not read [3.3]', () => {
    expect(describeColourMode({ preference: 'system', system: null, forced: null })).toEqual({
      preference: 'system',
      value: 'light',
      unknown: true,
      forced: false,
    })
  })

  it('lets a page override the preference and keeps the preference [4.6]', () => {
    expect(describeColourMode({ preference: 'dark', system: 'dark', forced: 'light' })).toEqual({
      preference: 'dark',
      value: 'light',
      unknown: false,
      forced: true,
    })
  })

  it('reads an invalid stored value as „system” [4.6]', () => {
    expect(parseColourPreference('dark')).toBe('dark')
    expect(parseColourPreference('light')).toBe('light')
    for (const stored of [null, '', 'system', 'Dark', '{"a":1}'])
      expect(parseColourPreference(stored)).toBe('system')
  })
})
