import { expect, it } from 'vitest'
import { SHARE_PROOFS } from '../../../../shared/site/setting-bounds.ts'
import { readQrCodes, readSlip } from '../../../../test/inspection/read-slip.ts'
import { type Slip, writeSlip } from './write-slip.ts'

const SLIP: Slip = {
  site: {
    name: 'Centrul de Diagnostic Țiriac & Șerban',
    address: 'Str. Învățătorului nr. 12, București',
    phone: '+40212345678',
  },
  recipientName: 'Ștefănescu-Țurcanu Ioana Maria',
  proof: 'birth_date',
  expiresAt: new Date('2026-12-04T12:00:00Z'),
  address: `https://rezultate.exemplu.ro/s/${'aB3_-x9'.repeat(7).slice(0, 43)}`,
  codePage: 'https://rezultate.exemplu.ro/s',
  code: 'WM7KQ2PDFH',
  at: new Date('2026-11-27T10:00:00Z'),
}

it('is one A6 page whose QR code has the address, and whose short code is copied as one word', async () => {
  const pdf = await writeSlip(SLIP)
  const { pages, size, words } = await readSlip(pdf)
  expect({ pages, size }).toEqual({ pages: 1, size: [0, 0, 298, 420] })
  expect(await readQrCodes(pdf)).toEqual([SLIP.address])
  expect(words).toContain(SLIP.code)
  expect(words).toContain(SLIP.codePage)
})

it('says who gives it, until when it is valid, and of its recipient the initials alone', async () => {
  const { words } = await readSlip(await writeSlip(SLIP))
  const text = words.join(' ')
  for (const said of [
    SLIP.site.name,
    SLIP.site.address,
    'Telefon: 021 234 5678',
    'Pentru dumneavoastră (ȘI)',
    'Valabil până la 04.12.2026, ora 14:00.',
  ])
    expect(text).toContain(said)
  for (const name of SLIP.recipientName.split(/[ -]/)) expect(text).not.toContain(name)
})

it.each(SHARE_PROOFS)('says what is asked: %s', async (proof) => {
  const { words } = await readSlip(await writeSlip({ ...SLIP, proof }))
  expect(words.join(' ')).toContain(
    {
      birth_date: 'Pagina vă cere data nașterii.',
      pin: 'Pagina vă cere codul PIN, pe care îl primiți separat, nu pe acest bilet.',
      email: 'Pagina vă trimite un cod pe e-mail și vi-l cere.',
    }[proof],
  )
})

it('is tagged, in Romanian, with a text in place of the QR code', async () => {
  const { language, structure } = await readSlip(await writeSlip(SLIP))
  expect(language).toBe('ro-RO')
  const nodes = structure?.children ?? []
  expect(nodes.map(({ role }) => role)).toEqual(['P', 'P', 'H1', 'P', 'Figure', 'P', 'P', 'P', 'P', 'P'])
  expect(nodes.find(({ role }) => role === 'Figure')?.alt).toContain('Cod QR')
})

it.each(['W', 'WW ', 'Ș'])(
  'has room for names, addresses and hosts of the greatest length (%s)',
  async (part) => {
    const longest = part.repeat(200).slice(0, 200)
    const host = `https://${`${'w'.repeat(60)}.`.repeat(2)}ro`
    const slip: Slip = {
      ...SLIP,
      site: { name: longest, address: longest, phone: '9'.repeat(200) },
      address: `${host}/s/${'a'.repeat(43)}`,
      codePage: `${host}/s`,
    }
    const pdf = await writeSlip(slip)
    const { pages, words } = await readSlip(pdf)
    expect(pages).toBe(1)
    const text = words.join('')
    expect(text).toContain(`${longest}${longest}Telefon:${slip.site.phone}Bilet`.replaceAll(' ', ''))
    expect(text).toContain(slip.codePage)
    expect(words).toContain(slip.code)
    expect(await readQrCodes(pdf)).toEqual([slip.address])
  },
)
