import { describe, expect, it } from 'vitest'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { describeChanges, describeEvent } from './audit-sentences.ts'

const event = { actorName: 'Maria Ionescu', shownCount: 0 }

describe('an audit sentence', () => {
  it('says who did what', () => {
    expect(describeEvent({ ...event, action: 'patient.read' })).toEqual({
      actor: 'Maria Ionescu',
      predicate: 'a deschis fișa unui pacient',
    })
  })

  it('counts the rows that a list returned, also none', () => {
    const list = (shownCount: number) =>
      describeEvent({ ...event, action: 'patient.list', shownCount }).predicate
    expect(list(50)).toBe('a consultat lista pacienților (50 de rânduri)')
    expect(list(1)).toBe('a consultat lista pacienților (1 rând)')
    expect(list(0)).toBe('a consultat lista pacienților (0 rânduri)')
  })

  it.each(Object.keys(AUDIT_ACTIONS))('has a sentence for %s [2.9]', (action) => {
    const { predicate } = describeEvent({ ...event, action })
    expect(predicate).toMatch(/^(nu s-a|s-a|și-a|nu a|a) [\p{L}]/u)
    expect(predicate).not.toContain(action)
  })

  it('has a default for an actor without a name and for an unknown action', () => {
    expect(describeEvent({ ...event, actorName: '', action: 'session.sign-in-failed' }).actor).toBe('Cineva')
    expect(describeEvent({ ...event, action: 'constructor' }).predicate).toBe('constructor')
  })
})

describe('the changes of an audit entry', () => {
  it('have labels and values in Romanian', () => {
    const changes = {
      state: { from: 'in_review', to: 'accepted' },
      birth_date: { from: null, to: '1985-04-03' },
      may_upload: { from: false, to: true },
      phone: { from: '+40722123456', to: '' },
    }
    expect(describeChanges(changes)).toEqual([
      { label: 'Stare', from: 'de verificat', to: 'de eliberat' },
      { label: 'Data nașterii', from: 'necompletat', to: '03.04.1985' },
      { label: 'Poate trimite fișiere', from: 'nu', to: 'da' },
      { label: 'Telefon', from: '+40722123456', to: 'necompletat' },
    ])
  })

  it('describe a changed account', () => {
    const changes = {
      role: { from: 'staff', to: 'institution' },
      status: { from: 'active', to: 'suspended' },
      institutions: { from: [], to: ['Clinica Mare', 'Clinica Mică'] },
      features: { from: ['patient::files', 'old::one'], to: [] },
    }
    expect(describeChanges(changes)).toEqual([
      { label: 'Rol', from: 'Personal', to: 'Instituție' },
      { label: 'Starea contului', from: 'Activ', to: 'Suspendat' },
      { label: 'Instituții', from: 'necompletat', to: 'Clinica Mare, Clinica Mică' },
      { label: 'Drepturi', from: 'fișierele pacienților, old::one', to: 'necompletat' },
    ])
  })

  it('name the invited person, and show a count without a former value', () => {
    const changes = { name: { to: 'Ana Țurcanu' }, email: { to: 'ana@exemplu.test' } }
    expect(describeChanges(changes, 'account.invite')).toEqual([
      { label: 'Nume', from: null, to: 'Ana Țurcanu' },
      { label: 'E-mail', from: null, to: 'ana@exemplu.test' },
    ])
    expect(describeChanges({ shut_out: { to: 3 } }, 'institution.suspend')).toEqual([
      { label: 'Conturi fără acces', from: null, to: '3' },
    ])
  })

  it('do not show ids', () => {
    expect(describeChanges({ patient_id: { from: null, to: '0198-1' } })).toEqual([
      { label: 'Pacient', from: null, to: null },
    ])
  })

  it('are described without an error for any stored value', () => {
    expect(describeChanges(null)).toEqual([])
    expect(describeChanges([1])).toEqual([])
    expect(describeChanges({ odd: 3 })).toEqual([{ label: 'odd', from: null, to: null }])
  })

  it('name a category by its slug, even if it equals the name of a field', () => {
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
