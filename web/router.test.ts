import { expect, it } from 'vitest'
import { SCREENS } from '../shared/access/site-map.ts'
import { router } from './router.tsx'

it('has the screens that the server knows, and no other [2.15]', () => {
  expect(Object.keys(router.routesByPath).sort()).toEqual([...SCREENS].sort())
})
