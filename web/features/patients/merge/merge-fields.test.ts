import { expect, it } from 'vitest'
import type { MergedPatient } from './merge.queries.ts'
import { defaultChoice, describeContradiction, differingFields } from './merge-fields.ts'

const patient = (over: Partial<MergedPatient>): MergedPatient => ({
  id: 'one',
  version: 1,
  number: 1,
  name: 'Pop Ana',
  surname: 'Pop',
  givenNames: 'Ana',
  previousSurname: null,
  cnpMasked: null,
  birthDate: null,
  sex: null,
  phone: null,
  email: null,
  county: null,
  locality: null,
  address: null,
  preferredChannel: null,
  notes: null,
  referrals: [],
  ...over,
})

it('asks for the values that differ, and not for what the CNP decides', () => {
  const one = patient({ phone: '+40722000111', birthDate: '1990-01-01' })
  const other = patient({ id: 'other', surname: 'Popa', birthDate: '1990-01-02' })
  expect(differingFields(one, other)).toEqual(['surname', 'birthDate', 'phone'])
  expect(differingFields(one, { ...other, cnpMasked: '*********1234' })).toEqual(['surname', 'phone'])
  expect(differingFields(one, one)).toEqual([])
})

it('proposes the value of the patient who stays, and the other where there is none', () => {
  const one = patient({ phone: '+40722000111' })
  const other = patient({ id: 'other', surname: 'Popa' })
  expect(defaultChoice('surname', one, other)).toBe('one')
  expect(defaultChoice('phone', other, one)).toBe('one')
})

it('says what two people would differ in, also where one has a CNP', () => {
  const one = patient({ birthDate: '1990-01-01', sex: 'male', cnpMasked: '*********1234' })
  expect(describeContradiction(one, patient({}))).toBeNull()
  expect(describeContradiction(one, patient({ birthDate: '1990-01-01', sex: 'male' }))).toBeNull()
  expect(describeContradiction(one, patient({ sex: 'female' }))).toBe('Cei doi nu au același sex')
  expect(describeContradiction(one, patient({ birthDate: '1990-01-02', sex: 'female' }))).toBe(
    'Cei doi nu au aceeași dată a nașterii și nici același sex',
  )
})
