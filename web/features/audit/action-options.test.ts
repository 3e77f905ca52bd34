import { expect, it } from 'vitest'
import { AUDIT_ACTIONS } from '../../../shared/audit/audit-actions.ts'
import { ACTION_GROUPS } from './action-options.ts'

it('the filter offers every action once, with a capital letter [2.9]', () => {
  const options = ACTION_GROUPS.flatMap(({ options }) => options)
  expect(options.map(({ id }) => id).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
  expect(options.find(({ id }) => id === 'account.set-password')?.label).toBe('Și-a ales parola')
  expect(ACTION_GROUPS.find(({ label }) => label === 'Pacienți')?.options.map(({ id }) => id)).toContain(
    'patient.reveal-cnp',
  )
})
