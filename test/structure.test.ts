import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

const MAX_FILES = 25
/** One file for each county, and one for each migration. */
const DATA_FOLDERS = new Set(['web/forms/inputs/address/localities', 'db/migrations'])

const files = globSync('{server,web,shared,db,test,e2e,bench,scripts}/**/*.*', {
  // Of the benchmark's own packages.
  exclude: ['bench/postgraphile/node_modules'],
})

describe('the folders', () => {
  it('hold at most 25 files each', () => {
    const tooLarge = [...Map.groupBy(files, (path) => dirname(path))].filter(
      ([folder, { length }]) => length > MAX_FILES && !DATA_FOLDERS.has(folder),
    )
    expect(tooLarge.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
  })

  it('of features are those in the import order of dependency-cruiser', () => {
    const list = /FEATURES = \[([^\]]*)\]/.exec(readFileSync('.dependency-cruiser.js', 'utf8'))?.[1] ?? ''
    const ordered = [...list.matchAll(/'([^']+)'/g)].map((match) => match[1])
    const folders = files.map((path) => /^(?:server|web)\/features\/([^/]+)\//.exec(path)?.[1])
    expect(ordered.toSorted()).toEqual([...new Set(folders.filter((folder) => folder !== undefined))].sort())
  })
})
