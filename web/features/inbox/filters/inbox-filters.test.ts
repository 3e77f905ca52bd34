import { describe, expect, it } from 'vitest'
import { filtersOf, variablesOf, withFilter } from './inbox-filters.ts'

describe('the filters of the inbox', () => {
  it('are those of the address, without its other parameters', () => {
    expect(filtersOf({ tab: 'pacienti', view: 'mine', doctor: 'Dr. Pop' } as never)).toEqual({
      view: 'mine',
      doctor: 'Dr. Pop',
    })
    expect(filtersOf({ view: 'necunoscută', since: '2026-03-02' })).toEqual({ since: '2026-03-02' })
    expect(withFilter({ view: 'mine', doctor: 'Dr. Pop' }, 'doctor', null)).toEqual({ view: 'mine' })
  })

  it('narrow to the own departments unless the address names one or all', () => {
    expect(variablesOf({}, 'pop')).toMatchObject({
      view: 'all',
      departmentId: null,
      ownDepartments: true,
      search: 'pop',
    })
    expect(variablesOf({ department: 'toate' }, '')).toMatchObject({
      departmentId: null,
      ownDepartments: false,
    })
    expect(variablesOf({ department: 'd1' }, '')).toMatchObject({ departmentId: 'd1', ownDepartments: false })
  })
})
