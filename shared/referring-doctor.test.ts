import { expect, it } from 'vitest'
import { onlyDoctor } from './referring-doctor.ts'

it('returns the only doctor that the referrals name, and null if they name several or none', () => {
  expect(onlyDoctor(['Dr. Avram', null, 'Dr. Avram'])).toBe('Dr. Avram')
  expect(onlyDoctor(['Dr. Avram', 'Dr. Țone'])).toBeNull()
  expect(onlyDoctor([null])).toBeNull()
})
