import { describe, expect, it } from 'vitest'
import { explainPasswordFault, explainSignInError, explainSignInFault } from './sign-in-words.ts'

describe('the words of the sign-in page', () => {
  it('says what happened for every code that can stand in the address [8.2]', () => {
    expect(explainSignInError('CredentialsSignin').text).toBe('Adresa sau parola nu sunt corecte.')
    expect(explainSignInError('MissingCSRF').text).toMatch(/apasă din nou Autentificare/)
    const unknown = explainSignInError('SomethingNew').text
    expect(unknown).toMatch(/Încearcă din nou/)
    expect(explainSignInError('toString').text).toBe(unknown)
  })

  it('takes being asked to sign in for no mistake [2.20]', () => {
    expect(explainSignInError('SessionRequired')).toEqual({
      text: 'Autentifică-te ca să continui.',
      isInvitation: true,
    })
    expect(explainSignInError('CredentialsSignin').isInvitation).toBe(false)
  })

  it('tells no network from no service', () => {
    expect(explainSignInFault(new TypeError('Failed to fetch'))).toMatch(/rețeaua/)
    expect(explainSignInFault(new Error('callback/local: status 503'))).toMatch(/peste câteva secunde/)
  })

  it('says what a password lacks', () => {
    expect(explainPasswordFault('password-short')).toBe('Parola are nevoie de cel puțin 15 caractere.')
    expect(explainPasswordFault('password-long')).toBe('Parola poate avea cel mult 200 de caractere.')
    expect(explainPasswordFault('password-common')).toMatch(/ușor de ghicit/)
  })
})
