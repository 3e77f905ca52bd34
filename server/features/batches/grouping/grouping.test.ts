import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findGroupToJoin, type GroupFacts, groupKeyOf, type OpenGroup } from './grouping.ts'

const MAX_FILES = 4

const file = fc.record<GroupFacts>({
  confidence: fc.constantFrom('sure', 'sure', 'sure', 'likely', 'none', 'conflict'),
  patient_id: fc.constantFrom('ana', 'barbu', null),
  accession_number: fc.constantFrom('1', '2', null),
  examined_on: fc.constantFrom('2026-01-05', '2026-01-06', null),
  category_slug: fc.constantFrom('analize', 'imagistica', null),
  stated: fc.tuple(fc.constantFrom('clinic', 'hospital', null), fc.constantFrom('analize', null)),
  is_duplicate: fc.constantFrom(false, false, false, true),
  is_unreadable: fc.constantFrom(false, false, false, true),
  is_refused: fc.constantFrom(false, false, false, true),
})

/** Returns the groups, as numbers of files, after the files have arrived in this order. */
function group(files: readonly GroupFacts[], order: readonly number[], maxFiles = MAX_FILES): number[][] {
  const groups = new Map<string, number[]>()
  const open = (): OpenGroup[] =>
    [...groups].map(([id, members]) => ({
      id,
      group_key: groupKeyOf(files[members[0]!]!),
      file_count: members.length,
    }))
  for (const index of order) {
    const own = {
      id: `g${String(index).padStart(3, '0')}`,
      group_key: groupKeyOf(files[index]!),
      file_count: 1,
    }
    const target = findGroupToJoin(own, open(), maxFiles)
    if (target) groups.get(target.id)!.push(index)
    else groups.set(own.id, [index])
  }
  return [...groups.values()]
}

const arrivals = fc.array(file, { maxLength: 40 }).chain((files) =>
  fc.record({
    files: fc.constant(files),
    order: fc.shuffledSubarray(
      files.map((_file, index) => index),
      { minLength: files.length },
    ),
  }),
)

it('files of two patients, for two institutions, or of no certain one, are never one group, nor more than fit', () => {
  fc.assert(
    fc.property(arrivals, ({ files, order }) => {
      const groups = group(files, order)
      expect(groups.flat().sort()).toEqual([...order].sort())
      for (const members of groups) {
        expect(members.length).toBeLessThanOrEqual(MAX_FILES)
        if (members.length === 1) continue
        expect(new Set(members.map((index) => files[index]!.patient_id)).size).toBe(1)
        expect(new Set(members.map((index) => files[index]!.stated.join())).size).toBe(1)
        for (const index of members)
          expect(files[index]).toMatchObject({
            confidence: 'sure',
            patient_id: expect.any(String),
            is_unreadable: false,
            is_refused: false,
            is_duplicate: false,
          })
      }
    }),
  )
})

it('the order of arrival decides nothing but who has a place', () => {
  const sorted = (groups: number[][]) =>
    groups.map((members) => members.toSorted((a, b) => a - b).join(' ')).sort()
  fc.assert(
    fc.property(arrivals, ({ files, order }) => {
      const announced = files.map((_file, index) => index)
      const unlimited = files.length + 1
      expect(sorted(group(files, order, unlimited))).toEqual(sorted(group(files, announced, unlimited)))
      expect(
        group(files, order)
          .map(({ length }) => length)
          .sort(),
      ).toEqual(
        group(files, announced)
          .map(({ length }) => length)
          .sort(),
      )
    }),
  )
})
