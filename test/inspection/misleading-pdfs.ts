/** A PDF of one page by its content and further objects, which `6 0 R` and so on refer to. */
type Page = { content: string; resources?: string; page?: string; objects?: readonly string[] }

const stream = (dictionary: string, content: string): string =>
  `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`

/** Writes a PDF whose page has the font `/F1`, Helvetica. */
export function writePage({ content, resources = '', page = '', objects = [] }: Page): Buffer {
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [] /D << >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${page}
      /Resources << ${/\/Font/.test(resources) ? '' : '/Font << /F1 5 0 R >>'} ${resources} >> >>`,
    stream('', content),
    HELVETICA,
    ...objects,
  ]
  let text = '%PDF-1.7\n'
  const offsets = bodies.map((body, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = bodies.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + table + end, 'latin1')
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
const INLINE_IMAGE = 'BI /W 2 /H 2 /CS /G /BPC 8 ID abcd EI'

/** Returns a Helvetica whose letters say other letters. */
const saying = (code: string, letters: string): string[] => [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>',
  stream(
    '',
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
      1 beginbfchar <${code}> <${Buffer.from(letters, 'utf16le').swap16().toString('hex')}> endbfchar endcmap end`,
  ),
]

const say = (text: string, before = '', x = 60): string =>
  `BT /F1 12 Tf ${before} ${x} 760 Td (${text}) Tj ET`

/** Pages whose text is only this one, in ordinary forms. */
export const plainPages = (text: string): Record<string, Buffer> => ({
  'simplu.pdf': writePage({ content: say(text) }),
  'tabel.pdf': writePage({
    content: `0.9 g 50 740 300 40 re f 0 g 0.5 w 50 740 300 40 re S 50 720 m 350 720 l S ${say(text)}
      q 50 600 400 40 re W n BT /F1 10 Tf 1 0 0 1 60 615 Tm [(Hemo) -20 (globina)] TJ ET Q
      /P << /MCID 0 >> BDC BT /F1 9 Tf 12 TL 60 500 Td (14,2) Tj T* (15,1) Tj ET EMC`,
  }),
  'antet.pdf': writePage({
    content: `0 0 0.4 rg 50 780 400 30 re f 1 g BT /F1 14 Tf 60 790 Td (BULETIN) Tj ET 0 g ${say(text)}`,
  }),
  'formular.pdf': writePage({
    content: '/X1 Do',
    resources: '/XObject << /X1 6 0 R >>',
    objects: [
      stream(
        '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>',
        say(text),
      ),
    ],
  }),
})

/** Pages whose text is this one too, and that show a person something else, or not this text. */
export function misleadingPages(text: string): Record<string, Buffer> {
  const plain = say(text)
  const pattern = (content: string) =>
    stream(
      '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 400 400] /XStep 400 /YStep 400 /Resources << >>',
      content,
    )
  const withState = (state: string) => ({
    content: `/G1 gs ${plain}`,
    resources: `/ExtGState << /G1 << ${state} >> >>`,
  })
  const glyph = stream('', `1000 0 0 0 1000 1000 d1 0 0 900 900 re f`)
  const pages: Record<string, Page> = {
    'model.pdf': {
      content: `${plain} /Pattern cs /P1 scn 50 100 400 400 re f`,
      resources: '/Pattern << /P1 6 0 R >>',
      objects: [pattern(`400 0 0 400 0 0 cm ${INLINE_IMAGE}`)],
    },
    'model-desenat.pdf': {
      content: `${plain} /Pattern cs /P1 scn 50 100 400 400 re f`,
      resources: '/Pattern << /P1 6 0 R >>',
      objects: [pattern('20 20 5 300 re f')],
    },
    'font-desenat.pdf': {
      content: say('a'.repeat(5)) + plain.replace('/F1', '/F2'),
      resources: '/Font << /F1 6 0 R /F2 5 0 R >>',
      objects: [
        `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0]
          /CharProcs << /a 7 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000]
          /Resources << >> >>`,
        glyph,
      ],
    },
    'umbra.pdf': {
      content: `${plain} /S1 sh`,
      resources:
        '/Shading << /S1 << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 500 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >> >>',
    },
    'invizibil.pdf': { content: say(text, '3 Tr') },
    'contur.pdf': { content: say(text, '1 Tr') },
    'decupaj-text.pdf': { content: say(text, '7 Tr') },
    'alb-pe-alb.pdf': { content: `1 g ${plain}` },
    'gri-deschis.pdf': { content: `0.8 g ${plain}` },
    'negru-pe-negru.pdf': { content: `50 740 400 40 re f ${plain}` },
    'decupat.pdf': { content: `q 0 0 40 40 re W n ${plain} Q` },
    'decupat-in-parte.pdf': { content: `q 0 740 100 40 re W n ${plain} Q` },
    'acoperit.pdf': { content: `${plain} 1 g 50 740 400 40 re f` },
    'acoperit-cu-linii.pdf': {
      content: `${plain} 1 G 3 w ${[755, 758, 761, 764, 767].map((y) => `50 ${y} m 450 ${y} l S`).join(' ')}`,
    },
    'in-afara.pdf': { content: say(text, '', 700) },
    'sub-pagina.pdf': { content: `1 0 0 1 0 -900 cm ${plain}` },
    'in-afara-decupajului.pdf': { content: plain, page: '/CropBox [0 0 595 400]' },
    'minuscul.pdf': { content: plain.replace('12 Tf', '1 Tf') },
    'micsorat.pdf': { content: `0.1 0 0 0.1 0 0 cm ${plain}` },
    'turtit.pdf': { content: say(text, '1 Tz') },
    'suprapus.pdf': { content: say(text, '-7 Tc') },
    'text-peste-text.pdf': { content: `${plain} ${say('MMMMMMMMMMMMMMMMMMMMMMMM')}` },
    'rotit.pdf': { content: plain.replace('60 760 Td', '0 1 -1 0 200 200 Tm') },
    'curbe.pdf': { content: `${plain} 100 100 m 150 300 250 300 300 100 c S` },
    'linii-scurte.pdf': { content: `${plain} 100 100 m 100 110 l 110 110 l S` },
    'oblic.pdf': { content: `${plain} 100 100 m 300 300 l S` },
    'linii-multe.pdf': {
      content: plain + Array.from({ length: 700 }, (_, at) => ` 50 ${at} m 450 ${at} l S`).join(''),
    },
    'linie-groasa.pdf': { content: `${plain} 100 w 50 300 m 450 300 l S` },
    'linie-intrerupta.pdf': { content: `${plain} [1 2 3] 0 d 50 300 m 450 300 l S` },
    'transparent.pdf': withState('/ca 0'),
    'amestec.pdf': withState('/BM /Multiply'),
    'masca.pdf': {
      ...withState('/SMask << /S /Alpha /G 6 0 R >>'),
      objects: [stream('/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Group << /S /Transparency >>', '')],
    },
    'transfer.pdf': withState('/TR << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >>'),
    'optional.pdf': {
      content: `/OC /O1 BDC ${plain} EMC`,
      resources: '/Properties << /O1 6 0 R >>',
      objects: ['<< /Type /OCG /Name (ascuns) >>'],
    },
    'formular-cu-model.pdf': {
      content: `${plain} /X1 Do`,
      resources: '/XObject << /X1 6 0 R >>',
      objects: [
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Pattern << /P1 7 0 R >> >>',
          '/Pattern cs /P1 scn 50 100 400 400 re f',
        ),
        pattern('20 20 5 300 re f'),
      ],
    },
    'grup.pdf': {
      content: `${plain} /X1 Do`,
      resources: '/XObject << /X1 6 0 R >>',
      objects: [
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency >>',
          '50 50 90 90 re f',
        ),
      ],
    },
    'legatura-desenata.pdf': {
      content: plain,
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [50 740 450 780] /AP << /N 6 0 R >> >>]',
      objects: [stream('/Type /XObject /Subtype /Form /BBox [0 0 400 40]', '1 g 0 0 400 40 re f')],
    },
    'legatura-groasa.pdf': {
      content: plain,
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [50 740 450 780] /Border [0 0 40] >>]',
    },
    'litera-spune-mai-mult.pdf': {
      content: `${say('Z').replace('760', '700').replace('/F1', '/F2')} ${plain}`,
      resources: '/Font << /F1 5 0 R /F2 6 0 R >>',
      objects: saying('5a', text),
    },
    'litera-spune-nimic.pdf': {
      content: `${say('ZZZ').replace('760', '700').replace('/F1', '/F2')} ${plain}`,
      resources: '/Font << /F1 5 0 R /F2 6 0 R >>',
      objects: saying('5a', ' '),
    },
    'fara-font.pdf': {
      content: plain,
      resources: '/Font << /F1 6 0 R >>',
      objects: ['<< /Type /Font /Subtype /TrueType /BaseFont /Necunoscut /Encoding /WinAnsiEncoding >>'],
    },
  }
  const written = Object.entries(pages).map(([name, page]) => [name, writePage(page)])
  return {
    ...Object.fromEntries(written),
    'doua-tabele.pdf': withSecondContent(writePage({ content: plain }), say('Altul')),
  }
}

/** Returns the PDF with a second content of its page, which Chromium shows, since the table of objects is not where the end says. */
function withSecondContent(pdf: Buffer, content: string): Buffer {
  const [before, offset] = pdf.toString('latin1').split('startxref\n') as [string, string]
  const second = `4 0 obj\n${stream('', content)}\nendobj\n`
  return Buffer.from(`${before}${second}startxref\n${Number.parseInt(offset, 10) + 3}\n%%EOF\n`, 'latin1')
}
