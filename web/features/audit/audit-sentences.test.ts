import { describe, expect, it } from 'vitest'
import { AUDIT_ACTIONS } from '../../../shared/audit-actions.ts'
import { ACTION_OPTIONS, describeChanges, describeEvent, groupByDay } from './audit-sentences.ts'

const event = { actorName: 'Maria Ionescu', shownCount: 0 }

describe('the sentences of the journal', () => {
  it('says who did what', () => {
    expect(describeEvent({ ...event, action: 'patient.read' })).toEqual({
      actor: 'Maria Ionescu',
      predicate: 'a deschis fișa unui pacient',
    })
  })

  it('counts what a list showed, also nothing', () => {
    const list = (shownCount: number) =>
      describeEvent({ ...event, action: 'patient.list', shownCount }).predicate
    expect(list(50)).toBe('a consultat lista pacienților (50 de rânduri)')
    expect(list(1)).toBe('a consultat lista pacienților (1 rând)')
    expect(list(0)).toBe('a consultat lista pacienților (0 rânduri)')
  })

  it('has words for somebody without a name and for an action it does not know', () => {
    expect(describeEvent({ ...event, actorName: '', action: 'session.sign-in-failed' }).actor).toBe('Cineva')
    expect(describeEvent({ ...event, action: 'constructor' }).predicate).toBe('constructor')
  })

  it('offers every action as a filter, once, as the beginning of a sentence', () => {
    expect(ACTION_OPTIONS.map(({ id }) => id).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
    expect(ACTION_OPTIONS.find(({ id }) => id === 'account.set-password')?.label).toBe('Și-a ales parola')
  })
})

describe('the changes of an entry', () => {
  it('puts fields and values in words', () => {
    const changes = {
      state: { from: 'in_review', to: 'accepted' },
      birth_date: { from: null, to: '1985-04-03' },
      may_upload: { from: false, to: true },
      phone: { from: '+40722123456', to: '' },
    }
    expect(describeChanges(changes)).toEqual([
      { label: 'Stare', from: 'de verificat', to: 'verificat' },
      { label: 'Data nașterii', from: 'necompletat', to: '03.04.1985' },
      { label: 'Poate trimite fișiere', from: 'nu', to: 'da' },
      { label: 'Telefon', from: '+40722123456', to: 'necompletat' },
    ])
  })

  it('tells what became of an account', () => {
    const changes = {
      role: { from: 'staff', to: 'institution' },
      status: { from: 'active', to: 'suspended' },
      institutions: { from: [], to: ['Clinica Mare', 'Clinica Mică'] },
    }
    expect(describeChanges(changes)).toEqual([
      { label: 'Rol', from: 'Personal', to: 'Instituție' },
      { label: 'Starea contului', from: 'Activ', to: 'Suspendat' },
      { label: 'Instituții', from: 'necompletat', to: 'Clinica Mare, Clinica Mică' },
    ])
  })

  it('does not show ids', () => {
    expect(describeChanges({ patient_id: { from: null, to: '0198-1' } })).toEqual([
      { label: 'Pacient', from: null, to: null },
    ])
  })

  it('stands whatever is stored', () => {
    expect(describeChanges(null)).toEqual([])
    expect(describeChanges([1])).toEqual([])
    expect(describeChanges({ odd: 3 })).toEqual([{ label: 'odd', from: null, to: null }])
  })

  it('names a category by its slug, whatever fields others have of that name', () => {
    const changes = {
      'category:imagistica::ct': { from: null, to: 'Tomografie · zip · #2563eb' },
      'category:state': { from: 'Acte', to: null },
      order: { from: 'a, b', to: 'b, a' },
    }
    expect(describeChanges(changes)).toEqual([
      { label: 'imagistica::ct', from: 'necompletat', to: 'Tomografie · zip · #2563eb' },
      { label: 'state', from: 'Acte', to: 'necompletat' },
      { label: 'Ordine', from: 'a, b', to: 'b, a' },
    ])
  })
})

describe('the days of the journal', () => {
  it('heads each day once, newest first', () => {
    const now = new Date(2026, 10, 21, 9)
    const at = (...time: [number, number, number, number]) => ({ at: new Date(...time).toISOString() })
    const events = [at(2026, 10, 21, 8), at(2026, 10, 20, 23), at(2026, 10, 20, 1), at(2026, 10, 16, 12)]
    expect(groupByDay(events, now).map(({ title, events: of }) => [title, of.length])).toEqual([
      ['Astăzi', 1],
      ['Ieri', 2],
      ['Luni, 16.11.2026', 1],
    ])
  })
})
