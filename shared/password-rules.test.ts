import { expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { findPasswordError } from './password-rules.ts'

it('requires 15 characters, counted as people see them, and accepts up to 200', () => {
  expect(findPasswordError('ploaie de vară')).toBe('password-short')
  expect(findPasswordError('ploaie de vară!')).toBeNull()
  expect(findPasswordError('a\u0306ploaie de va')).toBe('password-short')
  expect(findPasswordError('🐢🐇🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦')).toBeNull()
  expect(findPasswordError('abcdefghij klmnop '.repeat(11))).toBeNull()
  expect(findPasswordError('abcdefghij klmnop '.repeat(12))).toBe('password-long')
})

it('requires the given number of characters for an account with a second factor', () => {
  expect(findPasswordError('vară roz', 8)).toBeNull()
  expect(findPasswordError('vară ro', 8)).toBe('password-short')
  expect(findPasswordError('analize1', 8)).toBe('password-common')
})

it('requires no kind of character', () => {
  for (const password of [
    'corect cal baterie',
    'CORECT CAL BATERIE',
    '8301 5527 9946 0',
    'дорога домой ночью',
    '~{[<*&^%$#@)}]>',
  ]) {
    expect([password, findPasswordError(password)]).toEqual([password, null])
  }
})

it('rejects passwords that are easy to guess', () => {
  const common = [
    'aaaaaaaaaaaaaaaa',
    '123456789012345',
    '111111222222333333',
    'abababababababab',
    'parolaparolaparola',
    'Parola-Mea-2026!',
    'P@ssw0rdP@ssw0rd',
    'passwordpassword1',
    'qwertyuiopasdfgh',
    '1qaz2wsx3edc4rfv',
    'dosar-demo-2026',
    'analize laborator 2026',
    'Administrator 123',
    'spital.clinica.medic',
    'rezultatemedicale',
    'Rezultate Sănătate',
  ]
  for (const password of common)
    expect([password, findPasswordError(password)]).toEqual([password, 'password-common'])
})

it("rejects the account's own words", () => {
  const own = ['ileana.vlădescu@clinica.test', 'Ileana Vlădescu']
  expect(findPasswordError('ileana.vladescu2026', LIMITS.passwordMin, own)).toBe('password-common')
  expect(findPasswordError('IleanaIleanaIleana', LIMITS.passwordMin, own)).toBe('password-common')
  expect(findPasswordError('ileana.vladescu2026')).toBeNull()
  expect(findPasswordError('Ileana merge la munte', LIMITS.passwordMin, own)).toBeNull()
})
