import { expect, it } from 'vitest'
import { describeBirth } from './describe-birth.ts'

it('agrees with the sex, and says nothing of it where it is not known', () => {
  expect(describeBirth('female', '1945-10-18')).toBe('născută 18.10.1945')
  expect(describeBirth('male', '1945-10-18')).toBe('născut 18.10.1945')
  expect(describeBirth(null, '1945-10-18')).toBe('data nașterii 18.10.1945')
})
