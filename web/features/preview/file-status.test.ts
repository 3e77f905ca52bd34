import { expect, it } from 'vitest'
import {
  describeContent,
  describeDicom,
  describeFindings,
  describeRejection,
  describeScan,
  describeUnreadEntries,
} from './file-status.ts'

it('names what was found in a file once for each kind, with at most three entries of an archive', () => {
  const programs = ['a.exe', 'b.exe', 'c.exe', 'd.exe', 'e.exe'].map((where) => ({
    kind: 'executable' as const,
    where,
  }))
  const facts = { findings: [{ kind: 'macros' }, ...programs] }
  expect(describeFindings({ facts })).toEqual([
    'macrocomenzi',
    'un program, un script sau o pagină web: „a.exe”, „b.exe”, „c.exe” și încă 2',
  ])
  expect(describeFindings({ facts: {} })).toEqual([])
})

it('explains a rejection with the malware, the entries or the active content', () => {
  const explain = (facts: unknown) => describeRejection({ name: 'raport.pdf', scanResult: 'refused', facts })
  expect(explain({ reason: 'infected', signature: 'Eicar' })).toMatch(/ Găsit: Eicar\.$/)
  expect(explain({ reason: 'zip-nested', findings: [{ kind: 'unexamined', where: 'b.zip' }] })).toMatch(
    / Găsit: „b\.zip”\.$/,
  )
  expect(explain({ reason: 'active-content', findings: [{ kind: 'macros' }] })).toMatch(
    / Găsit: macrocomenzi\.$/,
  )
  expect(explain({ reason: 'trailing-data' })).not.toContain('Găsit')
  expect(
    describeRejection({ name: 'a.docx', scanResult: 'unscanned', facts: { findings: [{ kind: 'macros' }] } }),
  ).toBeNull()
})

it('says whether a file was scanned, and why not', () => {
  const describe = (scanResult: 'pending' | 'unscanned' | 'clean' | 'refused', facts = {}) =>
    describeScan({ scanResult, facts })
  expect(describe('unscanned')).toBe('nescanat antivirus')
  expect(describe('clean')).toBe('scanat antivirus')
  expect(describe('unscanned', { scan: 'incomplete' })).toBe('nescanat antivirus: este prea mare')
  expect([describe('pending'), describe('refused')]).toEqual([null, null])
})

it('names what DICOM files show, and how many files of an archive nobody has compared', () => {
  const dicom = { modality: 'CT', studyDate: '2026-03-01', rows: 512, columns: 256, images: 1, series: 1 }
  expect(describeDicom({ facts: { dicom } }).map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Modalitate CT',
    'Data 01.03.2026',
    'Imagini 1',
    'Serii 1',
    'Dimensiuni 256 × 512 pixeli',
  ])
  expect(describeDicom({ facts: {} })).toEqual([])
  const unread = (count: number) => describeUnreadEntries({ facts: { unreadEntries: { count, names: [] } } })
  expect(unread(1)).toMatch(/^1 fișier necomparat:/)
  expect(unread(24)).toMatch(/^24 de fișiere necomparate:/)
  expect(describeUnreadEntries({ facts: {} })).toBeNull()
})

it('says that the content of a rejected file is not what its name says', () => {
  const explain = (name: string, reason: string, findings?: unknown) =>
    describeRejection({ name, scanResult: 'refused', facts: { reason, findings } })
  expect(explain('Raport.PDF', 'executable')).toBe(
    'Numele se termină în „.PDF”, dar conținutul este un program, un script sau o pagină web. Astfel de fișiere nu se primesc.',
  )
  expect(explain('raport.pdf', 'extension-mismatch')).toMatch(/^Numele se termină în „\.pdf”, dar /)
  expect(explain('raport.exe', 'executable')).not.toContain('Numele')
  expect(explain('a.zip', 'executable', [{ kind: 'executable', where: 'b.exe' }])).toMatch(
    / Găsit: „b\.exe”\.$/,
  )
})

it('says of a file with a password that its content was not checked, not that it contains something', () => {
  const locked = { unreadable: 'locked', findings: [{ kind: 'unexamined' }] }
  const sentence = 'se deschide numai cu parolă, deci conținutul nu a putut fi controlat'
  expect(describeContent({ facts: locked })).toBe(sentence)
  expect(describeContent({ facts: { ...locked, findings: [{ kind: 'pdf-script' }] } })).toBe(
    `conține cod JavaScript, și ${sentence}`,
  )
  expect(describeContent({ facts: { findings: [{ kind: 'macros' }] } })).toBe('conține macrocomenzi')
  expect(describeContent({ facts: {} })).toBeNull()
})
