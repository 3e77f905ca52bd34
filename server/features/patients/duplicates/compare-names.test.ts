import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNames } from './compare-names.ts'

const named = (surname: string, given_names: string, previous_surname: string | null = null) => ({
  surname,
  given_names,
  previous_surname,
})

describe('compareNames', () => {
  it.each([
    [named('Văduva Câmpeanu', 'Maria'), named('VADUVA-CAMPEANU', 'maria')],
    [named('Văduva', 'Ana Maria'), named('Maria Ana', 'Vaduva')],
    [named('Tîrlea', 'Ion'), named('Târlea', 'Ion')],
    [named('Tirlea', 'Ion'), named('Târlea', 'Ion')],
    [named('Ionescu', 'Ana', 'Popa'), named('Popa', 'Ana')],
    [named('Popa', 'Ana'), named('Ionescu', 'Ana', 'Popa')],
    [named('Ionescu', 'Ana', 'Popa'), named('Matei', 'Ana', 'Popa')],
  ])('finds the same name in %j and %j', (one, other) => expect(compareNames(one, other)).toBe('same'))

  it.each([
    [named('Văduva', 'Maria'), named('Văduva Câmpeanu', 'Maria')],
    [named('Pop', 'Ana Maria'), named('Pop', 'Ana')],
  ])('finds a part of the name in %j and %j', (one, other) => expect(compareNames(one, other)).toBe('part'))

  it.each([
    [named('Pop', 'Ana'), named('Pop', 'Ion')],
    [named('Pop', ''), named('Pop', 'Ana')],
    [named('Pop', 'Ana'), named('Popa', 'Ana')],
    [named('', ''), named('Pop', 'Ana')],
    [named('-', '?'), named('.', '!')],
  ])('finds two names in %j and %j', (one, other) => expect(compareNames(one, other)).toBe('different'))

  it('does not depend on which name is first, on order, hyphens or capitals', () => {
    const word = fc.constantFrom('ana', 'maria', 'pop', 'țurcanu', 'târlea', 'ștefan', 'ionescu')
    const name = fc.record({
      surname: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
      given_names: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join('-')),
      previous_surname: fc.option(word),
    })
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(compareNames(one, other)).toBe(compareNames(other, one))
        expect(compareNames(one, one)).toBe('same')
        const written = {
          surname: one.given_names.toUpperCase(),
          given_names: one.surname.replaceAll(' ', '-'),
          previous_surname: null,
        }
        expect(compareNames(one, written)).toBe('same')
      }),
    )
  })
})
