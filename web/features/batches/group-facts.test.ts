import { describe, expect, it } from 'vitest'
import type { BatchGroup } from './batches.queries.ts'
import { findChanged, lacksInstitution, marksOf, patientOf, questionOf } from './group-facts.ts'

const patient = (id: string) => ({
  id,
  name: `Pacient ${id}`,
  number: 7,
  birthDate: null,
  cnpMasked: null,
  reasonText: `CNP-ul lui ${id}`,
})
type Proposal = NonNullable<BatchGroup['proposal']>

const group = (proposal: Partial<Proposal> | null, id = 'g'): BatchGroup => ({
  undoUntil: null,
  chosen: null,
  upload: {
    id,
    number: 1,
    version: 1,
    state: 'receiving',
    title: 'a.pdf',
    examinedOn: null,
    accessionNumber: null,
    referringDoctor: null,
    note: null,
    reviews: [],
    patient: null,
    institution: null,
    category: null,
    files: [],
  },
  proposal: proposal && {
    confidence: 'sure',
    statedNames: [],
    patients: [patient('ana')],
    institution: null,
    category: null,
    title: null,
    examinedOn: null,
    accessionNumber: null,
    doctor: null,
    isReady: false,
    isDuplicate: false,
    isUnreadable: false,
    isRefused: false,
    duplicates: [],
    ...proposal,
  },
})

describe('the patient of a group', () => {
  it('is proposed with the reason only if it is sure', () => {
    expect(patientOf(group({}))).toEqual({
      id: 'ana',
      name: 'Pacient ana',
      description: 'nr. 7',
      reasonText: 'CNP-ul lui ana',
    })
    for (const confidence of ['likely', 'none', 'conflict'] as const)
      expect(patientOf(group({ confidence }))).toBeNull()
    expect(patientOf(group(null))).toBeNull()
  })

  it('is the chosen one before any other', () => {
    const chosen = { id: 'dan', name: 'Dan', description: 'nr. 9' }
    expect(patientOf(group({}), chosen)).toEqual({ ...chosen, reasonText: null })
    const kept = { ...group({}), chosen: patient('dan') }
    expect(patientOf(kept)).toEqual({
      id: 'dan',
      name: 'Pacient dan',
      description: 'nr. 7',
      reasonText: null,
    })
    expect(marksOf(kept, false).map(({ text }) => text)).toEqual(['ales'])
  })

  it('has changed when another one is shown in the same row', () => {
    const other = group({ patients: [patient('dan')] })
    expect(findChanged([group({})], [other])).toEqual(['g'])
    expect(findChanged([group(null)], [group({})])).toEqual(['g'])
    expect(findChanged([group({})], [group({ title: 'alt titlu' }), group({}, 'new')])).toEqual([])
  })
})

it('a group has the mark of its match, then what stops it', () => {
  const texts = (over: Partial<Proposal>, isChosen = false) =>
    marksOf(group(over), isChosen).map(({ text }) => text)
  expect(texts({ isDuplicate: true, isRefused: true })).toEqual(['sigur', 'va fi refuzat', 'duplicat'])
  expect(texts({ confidence: 'conflict' }, true)).toEqual(['ales'])
  expect(marksOf(group(null), false)).toEqual([])
})

it('a person is asked before a refused or a duplicate file is filed', () => {
  expect(questionOf(group({}))).toBeNull()
  expect(questionOf(group({ isUnreadable: true }))).toBeNull()
  expect(questionOf(group({ isDuplicate: true }))).toBe('duplicate')
  expect(questionOf(group({ isDuplicate: true, isRefused: true }))).toBe('refused')
})

it('a group reaches no institution if neither its files nor a person name one', () => {
  const clinic = { id: 'c', name: 'Clinica' }
  expect(lacksInstitution(group({}))).toBe(true)
  expect(lacksInstitution(group({ institution: clinic }))).toBe(false)
  expect(lacksInstitution({ ...group({}), upload: { ...group({}).upload, institution: clinic } })).toBe(false)
  expect(lacksInstitution(group(null))).toBe(false)
})
