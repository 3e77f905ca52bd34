import { describe, expect, it } from 'vitest'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { EMPTY_PATIENT, valuesOfSearch, withCnp } from './patient-values.ts'

const cnp = makeCnp({ sex: 'female', birthDate: '1990-02-17', county: 12, serial: 45 })

describe('withCnp', () => {
  it('fills in the birth date and the sex from a complete CNP', () => {
    expect(withCnp(EMPTY_PATIENT, cnp)).toMatchObject({ cnp, birthDate: '1990-02-17', sex: 'female' })
  })

  it('keeps birth date and sex while the CNP is incomplete or invalid', () => {
    const before = { ...EMPTY_PATIENT, birthDate: '2000-01-01', sex: 'male' as const }
    const wrong = cnp.slice(0, 12) + ((Number(cnp.at(12)) + 1) % 10)
    for (const typed of [cnp.slice(0, 12), wrong]) {
      expect(withCnp(before, typed)).toEqual({ ...before, cnp: typed })
    }
  })

  it('keeps the birth date for the CNP of a foreign resident, which does not contain it', () => {
    const foreign = makeCnp({ sex: 'male', birthDate: '1990-02-17', county: 12, serial: 45, foreign: true })
    expect(withCnp({ ...EMPTY_PATIENT, birthDate: '1990-02-17' }, foreign)).toMatchObject({
      birthDate: '1990-02-17',
      sex: 'male',
    })
  })
})

describe('valuesOfSearch', () => {
  it('uses the first word as the surname', () => {
    expect(valuesOfSearch('  marin-bălăşoiu  ana maria ')).toMatchObject({
      surname: 'Marin-Bălășoiu',
      givenNames: 'Ana Maria',
    })
  })

  it('recognises a CNP, and ignores a phone number', () => {
    expect(valuesOfSearch(cnp)).toMatchObject({ cnp, surname: '', sex: 'female' })
    expect(valuesOfSearch('0722 123 456')).toEqual(EMPTY_PATIENT)
  })
})
