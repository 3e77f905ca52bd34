import { encode } from 'uqr'
import { readInitials } from '../../../../shared/romania/initials.ts'
import { formatMoment } from '../../../../shared/romania/moment.ts'
import { formatPhone } from '../../../../shared/romania/phone.ts'
import type { ShareProof } from '../../../../shared/site/setting-bounds.ts'
import type { SiteSettings } from '../../../../shared/site/site-settings.ts'
import { drawTaggedPdf, type FontName } from '../../../platform/pdf/draw-tagged-pdf.ts'

export type Slip = {
  site: Pick<SiteSettings, 'name' | 'address' | 'phone'>
  recipientName: string
  proof: ShareProof
  expiresAt: Date
  /** The address of the share, with its token. */
  address: string
  /** The page that asks for the short code. */
  codePage: string
  code: string
  at: Date
}

const MARGIN = 24
const WIDTH = 297.64 - 2 * MARGIN
/** For reading glasses; a text that does not fit is smaller. */
const TEXT_SIZE = 11
const QR_SIDE = 124
/** More than the four white modules that the standard requires around a QR code. */
const GAP = 20
const QR_ALT = 'Cod QR cu adresa paginii. Aceeași pagină se deschide cu codul scris mai jos.'

const PROOF_SENTENCES: Readonly<Record<ShareProof, string>> = {
  birth_date: 'Pagina vă cere data nașterii.',
  pin: 'Pagina vă cere codul PIN, pe care îl primiți separat, nu pe acest bilet.',
  email: 'Pagina vă trimite un cod pe e-mail și vi-l cere.',
}

type Box = { left?: number; top: number; width?: number; height: number }
type Text = Box & { tag: 'H1' | 'P'; font: FontName; size: number; text: string }

/**
 * Returns the access slip of a share, an A6 page with its address as a QR code and its short code. It has no
 * name: by the recipient's initials staff with several slips distinguish them.
 */
export const writeSlip = (slip: Slip): Promise<Buffer> =>
  drawTaggedPdf(
    {
      size: 'A6',
      margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
      title: 'Bilet de acces',
      author: slip.site.name,
      at: slip.at,
    },
    (document, root) => {
      const write = (text: Text) => root.add(document.struct(text.tag, {}, () => writeFitted(document, text)))
      const { name, address, phone } = slip.site
      write({ tag: 'P', font: 'bold', size: 12, text: name, top: MARGIN, height: 42 })
      const contact = [address, phone && `Telefon: ${formatPhone(phone)}`].filter(Boolean).join('\n')
      if (contact)
        write({ tag: 'P', font: 'regular', size: 9, text: contact, top: document.y + 2, height: 36 })
      write({ tag: 'H1', font: 'bold', size: 14, text: 'Bilet de acces', top: 112, height: 20 })
      const initials = readInitials(slip.recipientName)
      const whom = `Pentru dumneavoastră (${initials})`
      write({ tag: 'P', font: 'regular', size: TEXT_SIZE, text: whom, top: 132, height: 14 })
      const figure = () => drawQrCode(document, slip.address, { left: MARGIN, top: 154 })
      root.add(document.struct('Figure', { alt: QR_ALT }, figure))
      const beside = { left: MARGIN + QR_SIDE + GAP, width: WIDTH - QR_SIDE - GAP }
      const first = 'Îndreptați camera telefonului spre cod și deschideți pagina.'
      write({ ...beside, tag: 'P', font: 'regular', size: TEXT_SIZE, text: first, top: 152, height: 50 })
      const proof = PROOF_SENTENCES[slip.proof]
      write({ ...beside, tag: 'P', font: 'regular', size: TEXT_SIZE, text: proof, top: 204, height: 74 })
      const page = `Sau deschideți ${slip.codePage} și scrieți codul:`
      write({ tag: 'P', font: 'regular', size: TEXT_SIZE, text: page, top: 292, height: 28 })
      // Without spacing between the letters, with which readers copy the code as several words.
      write({ tag: 'P', font: 'bold', size: 26, text: slip.code, top: 320, height: 36 })
      const until = `Valabil până la ${formatMoment(slip.expiresAt)}. Nu dați biletul altcuiva.`
      write({ tag: 'P', font: 'regular', size: TEXT_SIZE, text: until, top: 364, height: 26 })
    },
  )

const MIN_SIZE = 4
const SIZE_STEP = 0.5

/** Writes a text as large as it fits into its box, at most in its own size. */
function writeFitted(
  document: PDFKit.PDFDocument,
  { font, size, text, left = MARGIN, top, width = WIDTH, height }: Text,
): void {
  document.font(font)
  let fitted = size
  while (fitted > MIN_SIZE && document.fontSize(fitted).heightOfString(text, { width }) > height)
    fitted -= SIZE_STEP
  document.fontSize(fitted).text(text, left, top, { width, height, ellipsis: true })
}

function drawQrCode(
  document: PDFKit.PDFDocument,
  text: string,
  { left, top }: { left: number; top: number },
) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const side = QR_SIDE / size
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) document.rect(left + x * side, top + y * side, side, side)
  document.fill('black')
}
