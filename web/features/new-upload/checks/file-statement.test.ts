import { describe, expect, it } from 'vitest'
import type { FileCheck } from '../new-upload.queries.ts'
import { describeCheck, describeDuplicate, mainDuplicate } from './file-statement.ts'

type Line = FileCheck['comparison'][number]
const line = (what: string, result: string, ...disagreeing: Line['disagreeing']): Line => ({
  what,
  result,
  disagreeing,
})
const AGREEING = ['cnp', 'name', 'birth-date'].map((what) => line(what, 'agrees'))
const SILENT = ['cnp', 'name', 'birth-date'].map((what) => line(what, 'absent'))
const OTHER_CNP = line('cnp', 'disagrees', { value: '1••••••••••51', place: { in: 'text', page: 1 } })
const MIHAI = { id: 'p2', name: 'Mureșan Mihai', reasons: ['cnp', 'name'] }

const check = (over: Partial<FileCheck> = {}): FileCheck => ({
  file: { id: 'f', name: 'raport.pdf', sha256: 'a' },
  state: 'READ',
  refusal: null,
  unreadable: null,
  isPartlyRead: false,
  comparison: AGREEING,
  patients: [],
  people: 1,
  duplicates: [],
  ...over,
})
const textOf = (over: Partial<FileCheck>) => describeCheck(check(over), 'p1').text

describe('describeCheck', () => {
  it.each<[Partial<FileCheck>, string]>([
    [{ state: 'WAITING', comparison: [] }, 'Se citește…'],
    [{}, 'CNP, nume și data nașterii se potrivesc.'],
    [{ comparison: [line('cnp', 'absent'), line('name', 'agrees')] }, 'Numele se potrivește.'],
    [{ comparison: SILENT }, 'Nu spune al cui este.'],
    [{ comparison: SILENT, isPartlyRead: true }, 'Nu spune al cui este. Citit doar în parte.'],
    [{ comparison: SILENT, state: 'UNREADABLE' }, 'Nu se poate citi automat; verificatorul îl va compara.'],
  ])('says what needs no question: %o', (over, text) => {
    expect(describeCheck(check(over), 'p1')).toMatchObject({ text, isConcern: false, owner: null })
  })

  it('names the patient whom the file names, who can get it', () => {
    const over = { comparison: [OTHER_CNP, line('name', 'disagrees')], patients: [MIHAI] }
    expect(describeCheck(check(over), 'p1')).toEqual({
      tone: 'danger',
      text: 'CNP-ul din pagina 1 este al lui Mureșan Mihai.',
      isConcern: true,
      owner: MIHAI,
    })
  })

  it.each<[object, string]>([
    [{ in: 'file-name' }, 'CNP-ul din numele fișierului este al lui Mureșan Mihai.'],
    [{ in: 'text', entry: 'a.txt', line: 3 }, 'CNP-ul din „a.txt”, rândul 3 este al lui Mureșan Mihai.'],
    [{}, 'CNP-ul este al lui Mureșan Mihai.'],
  ])('says where it is named: %o', (place, text) => {
    const comparison = [line('cnp', 'disagrees', { value: '1', place })]
    expect(textOf({ comparison, patients: [MIHAI] })).toBe(text)
  })

  it('says that nobody is registered whom the file names, with its values', () => {
    const name = line('name', 'disagrees', { value: 'Popa Ion', place: {} })
    expect(textOf({ comparison: [OTHER_CNP, name] })).toBe(
      'CNP 1••••••••••51, pagina 1; Nume Popa Ion: este al unui alt pacient, care nu este înregistrat.',
    )
  })

  it('does not say so if another fact agrees, or several patients may be meant', () => {
    const name = line('name', 'disagrees', { value: 'Popa Ion', place: {} })
    const text = 'Nu se potrivește cu pacientul: Nume Popa Ion.'
    expect(textOf({ comparison: [line('cnp', 'agrees'), name] })).toBe(text)
    expect(textOf({ comparison: [name], patients: [MIHAI, { ...MIHAI, id: 'p3' }] })).toBe(text)
  })

  it('asks to split what is of several people', () => {
    const file = { id: 'f', name: 'serie.ZIP', sha256: 'a' }
    expect(textOf({ people: 2, file })).toMatch('Conține rezultatele a 2 persoane: despachetează arhiva')
    expect(textOf({ people: 2 })).toMatch('Numește 2 persoane')
  })

  it('says why a file will be refused', () => {
    const refusal = { sentence: 'x', facts: { reason: 'damaged' } }
    expect(textOf({ state: 'REFUSED', refusal, comparison: [] })).toMatch(/^Va fi respins la control: .+/)
  })
})

describe('the duplicates of a file', () => {
  const duplicate = (state: 'released' | 'rejected', patientId: string): FileCheck['duplicates'][number] => ({
    kind: 'bytes',
    upload: {
      id: `${state} ${patientId}`,
      number: 1,
      title: 'Ecografie',
      state,
      patient: { id: patientId, name: 'Mureșan Mihai' },
      replacedBy: null,
    },
  })

  it('are those of this patient first, and the rejected ones last', () => {
    const duplicates = [duplicate('rejected', 'p1'), duplicate('released', 'p2'), duplicate('released', 'p1')]
    expect(mainDuplicate(check({ duplicates }), 'p1')).toBe(duplicates[2])
    expect(mainDuplicate(check({ duplicates: duplicates.slice(0, 2) }), 'p1')).toBe(duplicates[1])
    expect(mainDuplicate(check(), 'p1')).toBeNull()
  })

  it('are named with the patient who has them', () => {
    expect(describeDuplicate(duplicate('released', 'p1'), 'p1')).toBe(
      'Același fișier este deja la acest pacient:',
    )
    expect(describeDuplicate(duplicate('released', 'p2'), 'p1')).toBe(
      'Același fișier este deja la Mureșan Mihai:',
    )
    expect(describeDuplicate(duplicate('rejected', 'p1'), 'p1')).toBe(
      'Același fișier a fost respins la acest pacient:',
    )
  })
})
