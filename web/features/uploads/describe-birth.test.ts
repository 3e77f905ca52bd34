import { expect, it } from 'vitest'
import { describeBirth } from './describe-birth.ts'

it('describeBirth agrees with the sex, and is neutral if the sex is unknown', () => {
  expect(describeBirth('female', '1945-10-18')).toBe('născută 18.10.1945')
  expect(describeBirth('male', '1945-10-18')).toBe('născut 18.10.1945')
  expect(describeBirth(null, '1945-10-18')).toBe('data nașterii 18.10.1945')
})
