import { expect, it } from 'vitest'
import { onlyDoctor } from './referring-doctor.ts'

it('names the doctor of all referrals that name one, and none where they differ', () => {
  expect(onlyDoctor(['Dr. Avram', null, 'Dr. Avram'])).toBe('Dr. Avram')
  expect(onlyDoctor(['Dr. Avram', 'Dr. Țone'])).toBeNull()
  expect(onlyDoctor([null])).toBeNull()
})
