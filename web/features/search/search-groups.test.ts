import { expect, it } from 'vitest'
import type { Feature } from '../../../shared/access/features.ts'
import type { Role } from '../../../shared/access/roles.ts'
import { describeSearch, groupsOf, indicesOf, scopesOf } from './search-groups.ts'

const PATIENT = { objectID: 'p1', number: 7, name: 'Popescu Ana', cnpMasked: null, birthDate: null }

it.each([
  ['staff', [], ['patients', 'institutions']],
  ['staff', ['patient::files'], ['patients', 'institutions', 'uploads']],
  ['staff', ['admin::review-files'], ['patients', 'institutions', 'categories']],
  ['institution', [], ['patients']],
  ['institution', ['patient::files'], ['patients', 'uploads']],
] as [Role, Feature[], string[]][])(
  'a %s with %j searches %j and the screens [3.2]',
  (role, features, indices) => {
    const person = { role, features }
    expect(scopesOf(person).map(({ id }) => id)).toEqual(['all', ...indices])
    expect(indicesOf('all', person)).toEqual(['screens', ...indices])
    const { placeholder, hint } = describeSearch(person)
    const hasUploads = indices.includes('uploads')
    expect([placeholder, hint].map((text) => /încărc|rezultat/.test(text))).toEqual([hasUploads, hasUploads])
  },
)

it('leads an institution to the results of a patient, or without files to the list of patients [3.2]', () => {
  const linkOf = (features: Feature[]) =>
    groupsOf(
      [
        {
          index: 'patients',
          hits: [PATIENT],
          query: '',
          params: '',
          nbHits: 1,
          page: 0,
          nbPages: 1,
          hitsPerPage: 5,
          processingTimeMS: 0,
        },
      ],
      {
        role: 'institution',
        features,
      },
    ).map(({ rows }) => rows.map(({ href }) => href))
  expect(linkOf(['patient::files'])).toEqual([['/institution?tab=pacienti&patient=p1']])
  expect(linkOf([])).toEqual([['/institution?tab=pacienti']])
})
