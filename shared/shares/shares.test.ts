import { expect, it } from 'vitest'
import { parseShareCode } from './shares.ts'

it.each(['WM7KQ2PDFH', 'wm7kq2pdfh', ' wm7k q2pd fh ', 'WM7K-Q2PD-FH', 'WM7K–Q2PD‑FH'])(
  'reads a short code in any case, with spaces and hyphens: %j',
  (typed) => expect(parseShareCode(typed)).toBe('WM7KQ2PDFH'),
)

it.each(['', 'WM7KQ2PDF', 'WM7KQ2PDFHH', 'WM7KQ2PDF0', 'OM7KQ2PDFH', 'ȘM7KQ2PDFH'])('refuses %j', (typed) =>
  expect(parseShareCode(typed)).toBeNull(),
)
