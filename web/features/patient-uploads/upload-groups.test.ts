import { expect, it } from 'vitest'
import { groupUploads } from './upload-groups.ts'

const upload = (id: string, slug: string | null, createdAt: string, examinedOn: string | null = null) => ({
  id,
  category: slug === null ? null : { slug },
  createdAt: `${createdAt}T10:00:00.000Z`,
  examinedOn,
})

it('groupUploads groups by top-level category, last used first, and sorts by examination date', () => {
  const groups = groupUploads([
    upload('old scan, filed last', 'imaging::ct', '2026-05-20', '2024-01-01'),
    upload('blood', 'lab', '2026-05-10'),
    upload('new scan', 'imaging::mri::brain', '2026-05-01', '2026-04-30'),
    upload('unsorted', null, '2026-05-15'),
    upload('blood again', 'lab', '2026-05-12'),
  ])
  expect(groups.map(({ slug, uploads }) => [slug, uploads.map(({ id }) => id)])).toEqual([
    ['imaging', ['new scan', 'old scan, filed last']],
    [null, ['unsorted']],
    ['lab', ['blood again', 'blood']],
  ])
  expect(groupUploads([])).toEqual([])
})
