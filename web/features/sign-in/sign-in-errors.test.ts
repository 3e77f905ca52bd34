import { describe, expect, it } from 'vitest'
import { describePasswordError } from '../../../shared/password-messages.ts'
import { explainSecondFactorError } from './second-factor-errors.ts'
import { explainSignInError, explainSignInFailure, requiresSecondFactor } from './sign-in-errors.ts'

describe('the messages of the sign-in page', () => {
  it('exist for every error code that can be in the address [8.2]', () => {
    expect(explainSignInError('CredentialsSignin').text).toBe(
      'Adresa sau parola nu sunt corecte. După mai multe încercări greșite urmează o pauză de câteva minute.',
    )
    expect(explainSignInError('MissingCSRF').text).toMatch(/Parola trebuie scrisă din nou/)
    const unknown = explainSignInError('SomethingNew').text
    expect(unknown).toMatch(/Dacă se repetă/)
    expect(explainSignInError('toString').text).toBe(unknown)
  })

  it('ask the user to wait after too many attempts from the network, for every error', () => {
    expect(explainSignInError('CredentialsSignin', 'wait').text).toMatch(/peste câteva minute/)
    expect(explainSignInError('CredentialsSignin', 'credentials')).toEqual(
      explainSignInError('CredentialsSignin'),
    )
  })

  it('do not treat the request to sign in as an error [2.20]', () => {
    expect(explainSignInError('SessionRequired')).toEqual({
      text: 'Pagina cere autentificare.',
      isInvitation: true,
    })
    expect(explainSignInError('CredentialsSignin').isInvitation).toBe(false)
  })

  it('distinguish a missing network from an unavailable service', () => {
    expect(explainSignInFailure(new TypeError('Failed to fetch'))).toMatch(/rețea/)
    expect(explainSignInFailure(new Error('callback/local: status 503'))).toMatch(/peste câteva secunde/)
  })

  it('requiresSecondFactor recognises the codes that require the second factor [8.2]', () => {
    expect(['second-factor', 'second-factor-setup'].every(requiresSecondFactor)).toBe(true)
    expect([null, 'credentials', 'second-factor-wrong'].some(requiresSecondFactor)).toBe(false)
    expect(explainSecondFactorError('second-factor-wrong')).toMatch(/Codul nu este corect/)
    expect(explainSecondFactorError('something')).toMatch(/nu a reușit/)
  })

  it('explain why a password is invalid', () => {
    expect(describePasswordError('password-short', 15)).toBe('Parola are nevoie de cel puțin 15 caractere.')
    expect(describePasswordError('password-long', 15)).toBe('Parola poate avea cel mult 200 de caractere.')
    expect(describePasswordError('password-common', 15)).toMatch(/ușor de ghicit/)
  })
})
