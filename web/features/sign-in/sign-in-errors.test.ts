import { describe, expect, it } from 'vitest'
import { describePasswordError } from '../../../shared/password-messages.ts'
import {
  explainSecondFactorError,
  explainSignInError,
  explainSignInFailure,
  requiresSecondFactor,
} from './sign-in-errors.ts'

describe('the words of the sign-in page', () => {
  it('says what happened for every code that can stand in the address [8.2]', () => {
    expect(explainSignInError('CredentialsSignin').text).toBe(
      'Adresa sau parola nu sunt corecte. După mai multe încercări greșite urmează o pauză de câteva minute.',
    )
    expect(explainSignInError('MissingCSRF').text).toMatch(/Parola trebuie scrisă din nou/)
    const unknown = explainSignInError('SomethingNew').text
    expect(unknown).toMatch(/Dacă se repetă/)
    expect(explainSignInError('toString').text).toBe(unknown)
  })

  it('tells a network that is out of tries to wait, whatever was wrong', () => {
    expect(explainSignInError('CredentialsSignin', 'wait').text).toMatch(/peste câteva minute/)
    expect(explainSignInError('CredentialsSignin', 'credentials')).toEqual(
      explainSignInError('CredentialsSignin'),
    )
  })

  it('takes being asked to sign in for no mistake [2.20]', () => {
    expect(explainSignInError('SessionRequired')).toEqual({
      text: 'Pagina cere autentificare.',
      isInvitation: true,
    })
    expect(explainSignInError('CredentialsSignin').isInvitation).toBe(false)
  })

  it('tells no network from no service', () => {
    expect(explainSignInFailure(new TypeError('Failed to fetch'))).toMatch(/rețea/)
    expect(explainSignInFailure(new Error('callback/local: status 503'))).toMatch(/peste câteva secunde/)
  })

  it('knows when the second factor is still to come [8.2]', () => {
    expect(['second-factor', 'second-factor-setup'].every(requiresSecondFactor)).toBe(true)
    expect([null, 'credentials', 'second-factor-wrong'].some(requiresSecondFactor)).toBe(false)
    expect(explainSecondFactorError('second-factor-wrong')).toMatch(/Codul nu este corect/)
    expect(explainSecondFactorError('something')).toMatch(/nu a reușit/)
  })

  it('says what a password lacks', () => {
    expect(describePasswordError('password-short', 15)).toBe('Parola are nevoie de cel puțin 15 caractere.')
    expect(describePasswordError('password-long', 15)).toBe('Parola poate avea cel mult 200 de caractere.')
    expect(describePasswordError('password-common', 15)).toMatch(/ușor de ghicit/)
  })
})
