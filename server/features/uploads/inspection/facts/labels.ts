import type { Cell } from './cells.ts'

/**
 * What a label announces. `other` ends the value before it, as does `cnp`, whose number needs no label; `patient-name` is never another person's, while
 * `name`, `surname` and `given` may be under the heading of a doctor or a relative.
 */
export type LabelKind =
  | 'patient-name'
  | 'name'
  | 'name-given-first'
  | 'surname'
  | 'given'
  | 'birth-date'
  | 'cnp'
  | 'accession'
  | 'bulletin'
  | 'examined-on'
  | 'doctor'
  | 'institution'
  | 'other'

type Label = { kind: LabelKind; words: readonly string[]; isLoose: boolean }

/** A label in a cell, with where its value begins; `isBare`: the cell has nothing else, not even a colon. */
export type Hit = { kind: LabelKind; cell: Cell; start: number; valueStart: number; isBare: boolean }

/** `~`: the value may follow without a colon. */
const TEXTS: Readonly<Record<LabelKind, string>> = {
  'patient-name': `pacient; pacientul; pacienta; pacientei; numele pacientului; numele pacientei; nume pacient; nume si prenume pacient;
    numele si prenumele pacientului; numele si prenumele pacientei; nume prenume pacient; pacient nume si prenume; date pacient;
    pacient nume; nume pacient si prenume; bolnav; bolnavul; bolnava; asigurat; asiguratul; asigurata; patient; patient name;
    patient s name; ~subsemnatul; ~subsemnata; ~subsemnatul a; ~subsemnatul subsemnata`,
  name: `nume si prenume; nume prenume; numele si prenumele; nume complet; numele complet; nume si prenume asigurat; full name`,
  'name-given-first': `prenume si nume; prenume nume; prenumele si numele`,
  surname: `nume; numele; nume de familie; numele de familie; surname; last name; family name`,
  given: `prenume; prenumele; first name; given name; given names`,
  'birth-date': `~data nasterii; ~data nastere; ~data de nastere; ~data nast; ~data nasterii pacientului; ~nascut la; ~nascuta la;
    ~nascut a la; ~nascut; ~nascuta; ~nascut la data de; ~nascuta la data de; ~nascut a la data de; ~nascut in data de; ~nascuta in data de;
    ~nasc; ~n; ~dn; ~d n; ~data n; ~date of birth; ~birth date; ~dob`,
  accession: `~nr examinare; ~numar examinare; ~nr examen; ~cod examinare; ~id examinare; ~cod proba; ~cod probe; ~nr proba; ~id proba;
    ~cod bare; ~cod de bare; ~cod cerere; ~nr cerere; ~id cerere; ~accession; ~accession number; ~accession no; ~accession nr; ~acc no; ~acc nr;
    ~nr acces; ~nr accesare; ~numar acces; ~numar de acces; ~nr comanda; ~cod comanda; ~numar cerere; ~numar proba`,
  bulletin: `~nr buletin; ~numar buletin; ~buletin nr; ~buletin numar; ~buletin de analize nr; ~buletin analize nr; ~buletin de analize medicale nr;
    ~buletin analize medicale nr; ~nr buletin analize; ~nr buletin de analize; ~numarul buletinului; ~nr buletinului; ~cod buletin;
    ~buletin de analize; ~buletin de investigatii nr; ~buletin de rezultate nr`,
  'examined-on': `~data examinarii; ~data examinare; ~data examen; ~data examenului; ~data investigatiei; ~data investigatie;
    ~data recoltarii; ~data recoltare; ~data recoltei; ~data si ora recoltarii; ~data ora recoltarii; ~data ora recoltare; ~data si ora recoltare;
    ~data prelevarii; ~data prelevare; ~data buletinului; ~data buletin; ~data efectuarii; ~data efectuare; ~data procedurii; ~data explorarii;
    ~data consultului; ~data consultatiei; ~recoltat; ~recoltat la; ~recoltat la data de; ~efectuat la data de; ~data si ora examinarii;
    ~study date; ~exam date; ~date of exam`,
  doctor: `medic trimitator; medicul trimitator; medic trimitere; medic prescriptor; medic recomandare; medicul prescriptor; medic solicitant; medicul solicitant;
    doctor trimitator; medic de familie; medicul de familie; medic curant; medicul curant; medic trimitator dr; referring physician;
    referring doctor; trimis de; recomandat de; recomandare`,
  institution: `unitate trimitatoare; unitatea trimitatoare; unitate sanitara trimitatoare; unitatea sanitara trimitatoare; unitate medicala trimitatoare;
    institutie trimitatoare; institutia trimitatoare; institutia; institutie; clinica trimitatoare; spital trimitator; sectia; sectie;
    sectia trimitatoare; sectia clinica; sectia clinica trimitatoare; cabinet trimitator; cabinet; clinica; spital; spitalul; compartiment; trimis de la;
    referring institution`,
  cnp: `cnp; cnp ul; c n p; cnp pacient; cod numeric personal`,
  other: `sex; sexul; varsta; adresa; domiciliu; domiciliul; telefon; tel; mobil; email; e mail; medic; medicul; medic radiolog; medic laborator;
    medic validare; validat de; validat; semnatura; parafa; diagnostic; data; ora; data eliberarii; data tiparirii; data validarii; data rezultatului;
    nume anterior; nume la nastere; nume de fata; nume nastere; numele mamei; numele tatalui; nume mama; nume tata; prenume tata; prenume mama; prenumele tatalui;
    prenumele mamei; nume medic; numele medicului; nume si prenume medic; nume apartinator; cetatenia; serie act; act identitate; judet; localitate;
    localitatea; fisa; nr fisa; foaie; fo; id pacient; cod pacient; pid; id; proba; material; tip proba; investigatie; analiza; denumire; rezultat; valoare; um;
    interval de referinta; cas; casa de asigurari; bilet trimitere; nr bilet; nr bilet trimitere; observatii; concluzii; indicatie; trimitere; greutate; inaltime`,
}

const LABELS: ReadonlyMap<string, readonly Label[]> = Map.groupBy(
  Object.entries(TEXTS)
    .flatMap(([kind, texts]) =>
      texts.split(';').map((text) => {
        const isLoose = text.trim().startsWith('~')
        return { kind: kind as LabelKind, words: text.trim().replace('~', '').split(' '), isLoose }
      }),
    )
    .sort((a, b) => b.words.length - a.words.length),
  ({ words }) => words[0]!,
)

/** Between the words of a label: `Data/ora recoltării`, `Nr. buletin`. */
const GAP = /^[ ./&'’-]{1,3}$/
/** Dots that lead to the value, and a colon. */
const COLON = /[ .…_*]{0,60}[:=]/y
const DASH = / {1,3}[-–] {1,3}/y
const END = /[ .…_*]{0,60}$/y

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** Returns the labels in a cell, from left to right; of two at one word the longer one. */
export function findLabels(cell: Cell): Hit[] {
  const hits: Hit[] = []
  for (let index = 0; index < cell.words.length; index += 1) {
    const hit = LABELS.get(cell.words[index]!.folded)
      ?.map((label) => matchLabel(cell, index, label))
      .find((found) => found !== null)
    if (!hit) continue
    hits.push(hit.hit)
    index += hit.words - 1
  }
  return hits
}

function matchLabel(cell: Cell, index: number, label: Label): { hit: Hit; words: number } | null {
  const { text, words } = cell
  const parts = words.slice(index, index + label.words.length)
  const isSame =
    parts.length === label.words.length &&
    parts.every(
      ({ folded, start }, at) =>
        folded === label.words[at] && (at === 0 || GAP.test(text.slice(parts[at - 1]!.end, start))),
    )
  if (!isSame) return null
  const start = parts[0]!.start
  const end = parts.at(-1)!.end
  const found = (valueStart: number, isBare: boolean) => ({
    hit: { kind: label.kind, cell, start, valueStart, isBare },
    words: parts.length,
  })
  const afterColon = matchEnd(COLON, text, end)
  if (afterColon !== null) return found(afterColon, false)
  const isFirst = /^[^\p{L}\p{N}]{0,3}$/u.test(text.slice(Math.max(0, start - 4), start)) && index === 0
  if (matchEnd(END, text, end) !== null) return isFirst ? found(text.length, true) : null
  const afterDash = matchEnd(DASH, text, end)
  if (afterDash !== null && isFirst && label.kind !== 'other') return found(afterDash, false)
  return label.isLoose ? found(end, false) : null
}
