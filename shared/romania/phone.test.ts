import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPhone, isMobile, parsePhone } from './phone.ts'

describe('parsePhone', () => {
  it.each([
    ['0722123456', '+40722123456'],
    ['0722 123 456', '+40722123456'],
    ['0722.123.456', '+40722123456'],
    ['(0264) 123–456', '+40264123456'],
    ['+40722123456', '+40722123456'],
    ['0040 722 123 456', '+40722123456'],
    ['+40 (0)722 123 456', '+40722123456'],
    ['0620 000 111', '+40620000111'],
    ['021/123.45.67', '+40211234567'],
    ['+373 22 123 456', '+37322123456'],
    ['0049 30 1234567', '+49301234567'],
  ])('reads %j as %s', (text, e164) => {
    expect(parsePhone(text)).toEqual({ ok: true, e164 })
  })

  it.each([
    ['', 'characters'],
    ['0722 123 45x', 'characters'],
    ['07+22123456', 'characters'],
    ['722123456', 'prefix'],
    ['0522123456', 'prefix'],
    ['+0722123456', 'prefix'],
    ['072212345', 'length'],
    ['07221234567', 'length'],
    ['+1234', 'length'],
    ['+1234567890123456', 'length'],
  ])('rejects %j: %s', (text, reason) => {
    expect(parsePhone(text)).toMatchObject({ ok: false, reason })
  })

  it('parses every formatted Romanian number to itself', () => {
    fc.assert(
      fc.property(fc.constantFrom('2', '3', '6', '7', '8', '9'), fc.nat(99_999_999), (start, rest) => {
        const e164 = `+40${start}${String(rest).padStart(8, '0')}`
        expect(parsePhone(formatPhone(e164))).toEqual({ ok: true, e164 })
      }),
    )
  })
})

it('formatPhone writes numbers as Romanians do', () => {
  expect(formatPhone('+40211234567')).toBe('021 123 4567')
  expect(formatPhone('+40311234567')).toBe('031 123 4567')
  expect(formatPhone('+40264123456')).toBe('0264 123 456')
  expect(formatPhone('+40722123456')).toBe('0722 123 456')
  expect(formatPhone('+37322123456')).toBe('+37322123456')
})

it('isMobile accepts both mobile ranges', () => {
  expect(['+40722123456', '+40620000111', '+40264123456', '+33612345678'].map(isMobile)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
