import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { componentNames } from './component-names.ts'
import { readPath } from './components.ts'

it('has a name for each component with stories, and no other names', () => {
  const stories = readdirSync(fileURLToPath(new URL('..', import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  }).filter((name) => name.endsWith('.stories.tsx'))
  const paths = stories.map((name) => readPath(`../${name}`))
  expect(Object.keys(componentNames).sort()).toEqual(paths.sort())
})
