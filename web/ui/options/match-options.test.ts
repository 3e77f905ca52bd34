import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatcher, isSameText } from './match-options.ts'

const matchesText = createMatcher()

test.each([
  ['Târgu-Mureș', 'targu mures'],
  ['Târgu-Mureș', 'Tîrgu'],
  ['Târgu Mureş', 'mureș târ'],
  ['ȘUTEU Ionuț', 'suteu'],
  ['RMN › Cerebral', 'cerebr rmn'],
  ['Ecografie', 'grafie'],
  ['Grup B+', '+'],
  ['Orice', ''],
  ['Orice', '   '],
])('matches %s for „%s” [3.10]', (label, typed) => {
  expect(matchesText(label, typed)).toBe(true)
})

test.each([
  ['Târgu-Mureș', 'targu jiu'],
  ['Ecografie', 'radiografie'],
  ['Grup B', '+'],
])('does not match %s for „%s” [3.10]', (label, typed) => {
  expect(matchesText(label, typed)).toBe(false)
})

test('matches a label by each of its own words, with and without diacritics [3.10]', () => {
  const words = fc.array(fc.stringMatching(/^[a-zăâîșț]{1,12}$/), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(words, (parts) => {
      const label = parts.join(' ')
      for (const part of parts) {
        expect(matchesText(label, part)).toBe(true)
        expect(matchesText(label, part.normalize('NFD').replace(/\p{M}/gu, ''))).toBe(true)
      }
    }),
  )
})

test('recognises an existing label in other case or without diacritics [3.10]', () => {
  expect(isSameText(' cardiologie ', 'Cardiologie')).toBe(true)
  expect(isSameText('Ortopedie și traumatologie', 'ortopedie si traumatologie')).toBe(true)
  expect(isSameText('Ortopedie', 'Ortopedie infantilă')).toBe(false)
  expect(isSameText('+', '-')).toBe(false)
})
