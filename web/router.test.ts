import { expect, it } from 'vitest'
import { SCREENS } from '../shared/access/site-map.ts'
import { router } from './router.tsx'

it('the router has exactly the screens that the server lists [2.15]', () => {
  expect(Object.keys(router.routesByPath).sort()).toEqual([...SCREENS].sort())
})
