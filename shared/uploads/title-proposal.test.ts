import { describe, expect, it } from 'vitest'
import { proposeTitle } from './title-proposal.ts'

const title = (...fileNames: string[]) =>
  proposeTitle({ fileNames, patientName: 'Ștefănescu-Popa Ioana Maria', categoryName: null })

describe('proposeTitle', () => {
  const under = (categoryName: string, ...fileNames: string[]) =>
    proposeTitle({ fileNames, patientName: 'Popa Ion', categoryName })

  it('proposes the chosen category', () => {
    expect(under('RMN', 'scan0001.pdf')).toBe('RMN')
    expect(under('RMN cerebral', 'RMN genunchi.pdf')).toBe('RMN cerebral')
    expect(under('RMN', 'rmn_popa_ion.pdf')).toBe('RMN')
  })

  it('prefers a file name that begins with the category, spelled like the category', () => {
    expect(under('RMN', 'scan0001.pdf', 'rmn_genunchi_POPA_ION.zip')).toBe('RMN genunchi')
    expect(under('Ecografie', 'ecografie abdominală.pdf')).toBe('Ecografie abdominală')
  })

  it.each([
    ['RMN_cerebral_Stefanescu_Ioana_2026-05-01.pdf', 'RMN cerebral'],
    ['ecografie abdominală ȘTEFĂNESCU-POPA IOANA MARIA 01.05.2026.pdf', 'Ecografie abdominală'],
    ['2900217120459 - hemoleucogramă.pdf', 'Hemoleucogramă'],
    ['CT torace v2.zip', 'CT torace v2'],
    ['raport_RMN.pdf', 'Raport RMN'],
  ])('leaves out names, numbers and dates: %s', (fileName, expected) => {
    expect(title(fileName)).toBe(expected)
  })

  it.each([
    'IMG_20260501_101500.jpg',
    'scan0001.pdf',
    'Ioana Stefanescu.pdf',
    'raport final.pdf',
    '1.2.840.113619',
    'x.pdf',
  ])('proposes nothing for %s', (fileName) => {
    expect(title(fileName)).toBeNull()
  })

  it('uses the next file name if the first says nothing', () => {
    expect(title('IMG_0001.jpg', 'radiografie pumn.jpg')).toBe('Radiografie pumn')
  })
})
