import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedFields, mergeChanges } from './changes.ts'

describe('changedFields', () => {
  it('returns the names of changed fields', () => {
    const before = { name: 'Ana', tags: ['a', 'b'], address: { county: 'CJ', locality: 'Dej' } }
    expect(changedFields(before, { ...before })).toEqual([])
    expect(changedFields(before, { ...before, name: 'Ane' })).toEqual(['name'])
    expect(changedFields(before, { ...before, tags: ['b', 'a'] })).toEqual(['tags'])
    expect(changedFields(before, { ...before, tags: ['a'] })).toEqual(['tags'])
    expect(changedFields(before, { ...before, address: { county: 'CJ', locality: 'Gherla' } })).toEqual([
      'address',
    ])
  })

  it.each([
    [null, ''],
    [undefined, null],
    [[], null],
    ['', []],
    [null, { county: '', locality: undefined }],
    [{ county: 'CJ' }, { county: 'CJ', locality: '' }],
    [[{ name: '' }], [{}]],
  ])('treats %j and %j as equal', (a, b) => {
    expect(changedFields({ field: a }, { field: b } as { field: typeof a })).toEqual([])
    expect(changedFields({ field: b }, { field: a } as { field: typeof b })).toEqual([])
  })

  it.each([
    [0, ''],
    [false, null],
    [' ', ''],
    ['1', 1],
    [[0], []],
    [['a'], 'a'],
    [new File(['a'], 'a.pdf'), new File(['a'], 'a.pdf')],
  ])('distinguishes %j from %j', (a, b) => {
    expect(changedFields<{ field: unknown }>({ field: a }, { field: b })).toEqual(['field'])
    expect(changedFields<{ field: unknown }>({ field: b }, { field: a })).toEqual(['field'])
  })

  it('ignores fields that only the form has', () => {
    expect(changedFields<object>({ name: 'a' }, { name: 'a', search: 'x' })).toEqual([])
  })
})

const value = fc.oneof(
  fc.constantFrom('', null, 'a', 'b', 1, false),
  fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
)
const values = fc.record({ name: value, email: value, note: value })

describe('mergeChanges', () => {
  it('keeps local changes, takes other changes, and names fields changed differently on both sides', () => {
    const before = { surname: 'Pop', email: 'a@b.ro', note: '', version: 1 }
    const mine = { ...before, surname: 'Popa', note: 'aceeași' }
    const theirs = { surname: 'Popovici', email: 'c@d.ro', note: 'aceeași', version: 2 }
    expect(mergeChanges(before, mine, theirs)).toEqual({
      values: { surname: 'Popa', email: 'c@d.ro', note: 'aceeași', version: 2 },
      both: ['surname'],
    })
  })

  it('loses no change of either side', () => {
    fc.assert(
      fc.property(values, values, values, (before, mine, theirs) => {
        const merged = mergeChanges(before, mine, theirs)
        const edited = changedFields(before, mine)
        for (const name of ['name', 'email', 'note'] as const)
          expect(merged.values[name]).toEqual(edited.includes(name) ? mine[name] : theirs[name])
        // Only local changes differ from the stored state.
        for (const name of changedFields(theirs, merged.values)) expect(edited).toContain(name)
        for (const name of merged.both) {
          expect(edited).toContain(name)
          expect(changedFields(before, theirs)).toContain(name)
          expect(changedFields(mine, theirs)).toContain(name)
        }
      }),
    )
  })

  it('is theirs without local changes, and mine without other changes', () => {
    fc.assert(
      fc.property(values, values, (before, other) => {
        expect(mergeChanges(before, before, other)).toEqual({ values: other, both: [] })
        const mine = mergeChanges(before, other, before)
        expect(changedFields(other, mine.values)).toEqual([])
        expect(mine.both).toEqual([])
      }),
    )
  })
})
