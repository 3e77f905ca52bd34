import { expect, it } from 'vitest'
import { stringifySearch, texts } from './search.ts'

it('writes a list readably and parses it, also in the format of older addresses', () => {
  expect(stringifySearch({ state: ['in_review'] })).toBe('?state=in_review')
  expect(stringifySearch({ state: ['accepted', 'released'] })).toBe('?state=accepted%2Creleased')
  expect(stringifySearch({ q: '1002', mine: true })).toBe('?q=%221002%22&mine=true')
  expect(texts('in_review')).toEqual(['in_review'])
  expect(texts('accepted,released')).toEqual(['accepted', 'released'])
  expect(texts(['in_review'])).toEqual(['in_review'])
  expect(texts(undefined)).toBeUndefined()
})
