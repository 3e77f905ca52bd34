import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeDateText, formatDateText, parseDateText } from './date-text.ts'

describe('dates as text', () => {
  it.each([
    ['03.04.1985', '1985-04-03'],
    ['3.4.1985', '1985-04-03'],
    [' 3 / 4 / 1985 ', '1985-04-03'],
    ['03-04-1985', '1985-04-03'],
    ['03041985', '1985-04-03'],
    ['1985-04-03', '1985-04-03'],
    ['29.02.2024', '2024-02-29'],
  ])('reads %j as %s', (text, iso) => {
    expect(parseDateText(text)).toBe(iso)
  })

  it.each(['', '31.02.2020', '29.02.2023', '00.01.2020', '1.13.2020', '03.04.85', '3.4.1985x', '03.04.0985'])(
    'rejects %j',
    (text) => {
      expect(parseDateText(text)).toBeNull()
    },
  )

  it('formats a day as dd.MM.yyyy and anything else as an empty text', () => {
    expect(formatDateText('1985-04-03')).toBe('03.04.1985')
    expect(formatDateText('1985-04-03T10:00:00Z')).toBe('')
    expect(formatDateText(null)).toBe('')
  })

  it('parses every formatted day, also when it is typed key by key', () => {
    const days = fc
      .integer({ min: Date.UTC(1000, 0, 1) / 86_400_000, max: Date.UTC(9999, 11, 31) / 86_400_000 })
      .map((count) => new Date(count * 86_400_000).toISOString().slice(0, 10))
    const type = (keys: string) => [...keys].reduce((text, key) => completeDateText(text, text + key), '')
    fc.assert(
      fc.property(days, (day) => {
        const text = formatDateText(day)
        expect(parseDateText(text)).toBe(day)
        expect(type(text.replaceAll('.', ''))).toBe(text)
        expect(type(text)).toBe(text)
        expect(type(text.replaceAll('.', '/'))).toBe(text)
        expect(parseDateText(type(text.replace(/\b0(?=\d\.)/g, '')))).toBe(day)
      }),
    )
  })

  it('inserts the dots while typing, but not while deleting', () => {
    let text = ''
    for (const digit of '03041985') text = completeDateText(text, text + digit)
    expect(text).toBe('03.04.1985')
    expect(completeDateText('03.', '03')).toBe('03')
    expect(completeDateText('3', '3.')).toBe('3.')
  })
})
