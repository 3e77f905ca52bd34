import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { makeCnp } from '../../shared/romania/cnp.ts'
import type { FactKind } from '../../shared/uploads/file-facts.ts'

const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'))
const SIZE = 12

export const CNP = makeCnp({ sex: 'male', birthDate: '1994-02-11', county: 8, serial: 94 })
const GROUPED = `${CNP[0]} ${CNP.slice(1, 7)} ${CNP.slice(7)}`

/** A fact that a report states, with its page and a box that the fact's own box has to cover: left, top, width, height. */
export type StatedFact = {
  kind: FactKind
  value: string
  page: number
  covers: readonly [number, number, number, number]
}
type Pdf = InstanceType<typeof PDFDocument>
/** Draws a text at a point; with a fact, notes where the text is. */
type Draw = (text: string, x: number, y: number, fact?: [FactKind, string]) => void
type Layout = (draw: Draw, pdf: Pdf, turn: (degrees: 90) => void) => void

const NAME: [FactKind, string] = ['name', 'Mureșan Mihai']
const BORN: [FactKind, string] = ['birth-date', '1994-02-11']
const PERSON: [FactKind, string] = ['cnp', CNP]

/** Layouts of the reports of laboratories and imaging centres. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  'etichete la stânga': (draw) => {
    draw('Buletin de analize medicale', 60, 40)
    draw('Nume și prenume: Mureșan Mihai', 60, 80, NAME)
    draw(`CNP: ${CNP}`, 60, 100, PERSON)
    draw('Data nașterii: 11.02.1994', 60, 120, BORN)
    draw('Cod probă: 2400123456', 60, 140, ['accession', '2400123456'])
    draw('Data recoltării: 03.03.2024 08:15', 60, 160, ['examined-on', '2024-03-03'])
    draw('Medic trimițător: Dr. Popa Ion', 60, 180, ['doctor', 'Popa Ion'])
    draw('Secția: Cardiologie II', 60, 200, ['institution', 'Cardiologie II'])
    draw('Hemoglobină        14,2 g/dl        12 - 16', 60, 260)
  },
  'etichete deasupra': (draw) => {
    draw('Pacient', 60, 80)
    draw('Mureșan Mihai', 60, 96, NAME)
    draw('Data nașterii', 260, 80)
    draw('11 februarie 1994', 260, 96, BORN)
    draw('Nr. examinare', 430, 80)
    draw('CT-2024/00871', 430, 96, ['accession', 'CT-2024/00871'])
  },
  'tabel cu nume și prenume': (draw) => {
    draw('Nume', 60, 80)
    draw('Prenume', 180, 80)
    draw('CNP', 300, 80)
    draw('Data examinării', 450, 80)
    draw('MUREȘAN', 60, 100, NAME)
    draw('MIHAI', 180, 100)
    draw(CNP, 300, 100, PERSON)
    draw('2024-03-03', 450, 100, ['examined-on', '2024-03-03'])
    draw('Glucoză', 60, 140)
    draw('94', 180, 140)
  },
  'două coloane': (draw) => {
    draw('Nume:', 60, 80)
    draw('Mureșan', 130, 80, NAME)
    draw('Unitate trimițătoare:', 320, 80)
    draw('Spitalul Județean Zorile', 320, 96, ['institution', 'Spitalul Județean Zorile'])
    draw('Prenume:', 60, 100)
    draw('Mihai', 130, 100)
    draw('n. 11/02/1994', 60, 120, BORN)
    draw('Medic curant: Prof. Univ. Dr. Popa Ion', 320, 120, ['doctor', 'Popa Ion'])
  },
  'litere rărite': (draw, pdf) => {
    pdf.fontSize(10)
    draw('P A C I E N T :   M U R E Ș A N   M I H A I', 60, 80, NAME)
    draw('Data nașterii: 11.02.1994', 60, 110, BORN)
  },
  'cu sedilă': (draw) => {
    draw('Numele pacientului: Mureşan Ştefan', 60, 80, ['name', 'Mureșan Ștefan'])
    draw('Data naşterii: 11.02.1994', 60, 100, BORN)
    draw('Secţia: Pneumologie', 60, 120, ['institution', 'Pneumologie'])
  },
  majuscule: (draw) => {
    draw('NUME ȘI PRENUME: MUREȘAN MIHAI', 60, 80, NAME)
    draw('DATA NAȘTERII: 11.02.1994', 60, 100, BORN)
    draw('MEDIC TRIMIȚĂTOR: DR. POPA ION', 60, 120, ['doctor', 'Popa Ion'])
    draw('BULETIN NR. 123456/03.03.2024', 60, 140, ['accession', '123456'])
    draw('', 60, 140, ['examined-on', '2024-03-03'])
  },
  'CNP grupat și în căsuțe': (draw) => {
    draw(`Pacient: MUREȘAN MIHAI, CNP ${GROUPED}`, 60, 80, NAME)
    draw('', 60, 80, PERSON)
    const other = makeCnp({ sex: 'female', birthDate: '1958-07-20', county: 22, serial: 3 })
    for (const [index, digit] of [...other].entries())
      draw(digit, 60 + index * 18, 140, index === 0 ? ['cnp', other] : undefined)
  },
  'mai multe pagini': (draw, pdf) => {
    draw('Computer tomograf torace', 60, 80)
    pdf.addPage()
    draw('Pacient: Mihai MUREȘAN', 60, 80, NAME)
    pdf.addPage()
    draw(`CNP: ${CNP}`, 60, 700, PERSON)
  },
  'pagină rotită': (draw, _pdf, turn) => {
    turn(90)
    draw('Pacient: Mureșan Mihai', 60, 80, NAME)
    draw('Accession number: RX20240017', 60, 110, ['accession', 'RX20240017'])
  },
  'nume anterior': (draw) => {
    draw('Nume: Mureșan', 60, 80, ['name', 'Mureșan Ioana'])
    draw('Nume anterior: Popescu', 60, 100)
    draw('Prenume: Ioana', 60, 120)
    draw('Data nașterii: 11.02.1994', 60, 140, BORN)
  },
  'medic lângă pacient': (draw) => {
    draw('PACIENT', 60, 60)
    draw('MEDIC TRIMIȚĂTOR', 320, 60)
    draw('Nume: Mureșan', 60, 80, NAME)
    draw('Nume: Popa', 320, 80)
    draw('Prenume: Mihai', 60, 100)
    draw('Prenume: Ion', 320, 100)
    draw('Medic laborator: Dr. Stan Vasile', 320, 700)
  },
}

export type Report = { bytes: Buffer; facts: StatedFact[] }

/** Returns a PDF of each layout with what it states. */
export async function makeReports(): Promise<Record<string, Report>> {
  const reports = Object.entries(LAYOUTS).map(
    async ([name, layout]) => [`${name}.pdf`, await makeReport(layout)] as const,
  )
  return Object.fromEntries(await Promise.all(reports))
}

async function makeReport(layout: Layout): Promise<Report> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0 })
  pdf.font(FONT).fontSize(SIZE)
  let page = 1
  let isTurned = false
  pdf.on('pageAdded', () => {
    page += 1
  })
  const facts: StatedFact[] = []
  const turn = () => {
    isTurned = true
    ;(pdf.page.dictionary as unknown as { data: { Rotate: number } }).data.Rotate = 90
  }
  layout(
    (text, x, y, fact) => {
      if (text !== '') pdf.text(text, x, y, { lineBreak: false })
      if (!fact) return
      const { width, height } = pdf.page
      // From the middle of the letters, so that a box around the words covers it in any font.
      const [left, top, long, high] = [x + 1, y + SIZE * 0.4, SIZE / 2, SIZE * 0.4]
      const covers = isTurned
        ? ([(height - top - high) / height, left / width, high / height, long / width] as const)
        : ([left / width, top / height, long / width, high / height] as const)
      facts.push({ kind: fact[0], value: fact[1], page, covers })
    },
    pdf,
    turn,
  )
  pdf.end()
  return { bytes: await buffer(pdf.pipe(new PassThrough())), facts }
}
