import { describe, expect, it } from 'vitest'
import { changedFields, checkValues, mergeValues, readValues } from './institution-values.ts'

const valid = { ...readValues(null), name: 'Clinica Zorile', kind: 'clinic', code: 'CZN' }

describe('the form of an institution', () => {
  it('asks a new one for name, kind and code', () => {
    expect(Object.keys(checkValues(readValues(null)))).toEqual(['name', 'kind', 'code'])
    expect(checkValues(valid)).toEqual({})
  })

  it('takes blanks for nothing', () => {
    expect(checkValues({ ...valid, name: '  ' })).toEqual({ name: 'Denumirea este necesară.' })
    expect(checkValues({ ...valid, cui: ' ', phone: ' ', email: ' ' })).toEqual({})
  })

  it('checks CUI, phone, e-mail and code as they are typed', () => {
    expect(checkValues({ ...valid, cui: 'RO 18547290', phone: '0722 123 456', email: 'a@b.ro' })).toEqual({})
    const wrong = checkValues({ ...valid, cui: '18547291', phone: '12', email: 'a@b', code: 'ȘC 1' })
    expect(wrong.cui).toMatch(/cifra de control/)
    expect(wrong.phone).toMatch(/0 în România/)
    expect(wrong.email).toBe('Te rog folosește o adresă de email validă.')
    expect(wrong.code).toMatch(/fără diacritice/)
  })

  it('shows a stored phone as people write it', () => {
    const stored = { ...valid, id: '1', version: 1, updatedAt: '', suspendedAt: null, color: null }
    expect(readValues({ ...stored, phone: '+40264555020' }).phone).toBe('0264 555 020')
  })
})

describe('two people at once', () => {
  it('keeps what was typed here and takes the rest from the other', () => {
    const mine = { ...valid, phone: '0722 123 456' }
    const theirs = { ...valid, email: 'a@b.ro' }
    expect(mergeValues(valid, mine, theirs)).toEqual({
      values: { ...valid, phone: '0722 123 456', email: 'a@b.ro' },
      both: [],
    })
  })

  it('names the fields that both changed, unless to the same', () => {
    const mine = { ...valid, phone: '0722 123 456', county: 'Cluj' }
    const theirs = { ...valid, phone: '0722 999 999', county: 'Cluj' }
    const merged = mergeValues(valid, mine, theirs)
    expect(merged.both).toEqual(['phone'])
    expect(merged.values.phone).toBe('0722 123 456')
    expect(changedFields(theirs, merged.values)).toEqual(['phone'])
  })
})
