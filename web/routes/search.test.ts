import { expect, it } from 'vitest'
import { UPLOAD_STATES } from '../../shared/uploads/upload-state-list.ts'
import { someOf, stringifySearch } from './search.ts'

it('writes a list readably and parses it, also in the format of older addresses', () => {
  expect(stringifySearch({ state: ['in_review'] })).toBe('?state=in_review')
  expect(stringifySearch({ state: ['accepted', 'released'] })).toBe('?state=accepted%2Creleased')
  expect(stringifySearch({ q: '1002', mine: true })).toBe('?q=%221002%22&mine=true')
  expect(someOf(UPLOAD_STATES, 'in_review')).toEqual(['in_review'])
  expect(someOf(UPLOAD_STATES, 'accepted,released,unknown')).toEqual(['accepted', 'released'])
  expect(someOf(UPLOAD_STATES, ['in_review'])).toEqual(['in_review'])
  expect(someOf(UPLOAD_STATES, undefined)).toBeUndefined()
})
