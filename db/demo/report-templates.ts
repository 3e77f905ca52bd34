import type { DemoCategorySlug } from './categories.ts'
import type { EXAMINERS } from './people.ts'
import type { PictureKind } from './plates.ts'

/** Name, unit, lower and upper reference limit (null: none), decimals. */
export type Analyte = readonly [
  name: string,
  unit: string,
  low: number | null,
  high: number | null,
  decimals: number,
]

/** One heading of a description and its possible findings; the first is the normal finding. */
type Findings = readonly [heading: string, ...texts: string[]]

export type ReportTemplate = {
  title: string
  category: DemoCategorySlug
  examiner: keyof typeof EXAMINERS
  /** Its weight among the templates. */
  weight: number
  method: string
  analytes?: readonly Analyte[]
  findings?: readonly Findings[]
  /** Conclusion for normal findings, and for abnormal ones. */
  conclusion: readonly [normal: string, ...other: string[]]
  picture?: PictureKind
  /** Whether the pictures are a ZIP of the whole series, besides the report. */
  series?: true
  only?: 'women' | 'adults'
}

export const REPORT_TEMPLATES: readonly ReportTemplate[] = [
  {
    title: 'Hemoleucogramă completă',
    category: 'laborator::hematologie::hemoleucograma',
    examiner: 'laboratory',
    weight: 14,
    method: 'Citometrie în flux cu fluorescență, analizor hematologic automat. Probă: sânge venos, K3EDTA.',
    analytes: [
      ['Leucocite (WBC)', '10³/µL', 4, 10, 2],
      ['Eritrocite (RBC)', '10⁶/µL', 4.1, 5.6, 2],
      ['Hemoglobină (HGB)', 'g/dL', 12, 16.5, 1],
      ['Hematocrit (HCT)', '%', 36, 49, 1],
      ['Volum eritrocitar mediu (MCV)', 'fL', 80, 98, 1],
      ['Hemoglobină eritrocitară medie (MCH)', 'pg', 27, 33, 1],
      ['Concentrație medie a hemoglobinei (MCHC)', 'g/dL', 32, 36, 1],
      ['Lărgimea distribuției eritrocitare (RDW-CV)', '%', 11.5, 14.5, 1],
      ['Trombocite (PLT)', '10³/µL', 150, 400, 0],
      ['Volum trombocitar mediu (MPV)', 'fL', 7.4, 11.4, 1],
      ['Neutrofile', '10³/µL', 2, 7, 2],
      ['Limfocite', '10³/µL', 1, 3.5, 2],
      ['Monocite', '10³/µL', 0.2, 0.9, 2],
      ['Eozinofile', '10³/µL', 0.02, 0.5, 2],
      ['Bazofile', '10³/µL', 0, 0.1, 2],
    ],
    conclusion: [
      'Valorile se încadrează în intervalele biologice de referință.',
      'Valorile marcate se interpretează în context clinic; se recomandă repetarea după 2–4 săptămâni.',
    ],
  },
  {
    title: 'Coagulogramă',
    category: 'laborator::hematologie::coagulare',
    examiner: 'laboratory',
    weight: 5,
    method: 'Metodă coagulometrică, analizor automat. Probă: plasmă, citrat de sodiu 3,2 %.',
    analytes: [
      ['Timp de protrombină (PT)', 's', 10.5, 13.5, 1],
      ['Activitate de protrombină', '%', 70, 130, 0],
      ['INR', '', 0.85, 1.2, 2],
      ['Timp de tromboplastină parțial activată (aPTT)', 's', 25, 36, 1],
      ['Fibrinogen', 'mg/dL', 200, 400, 0],
      ['D-dimeri', 'ng/mL FEU', null, 500, 0],
    ],
    conclusion: [
      'Hemostază în limite normale.',
      'Valori modificate; se corelează cu tratamentul anticoagulant în curs.',
    ],
  },
  {
    title: 'Profil lipidic',
    category: 'laborator::biochimie::profil-lipidic',
    examiner: 'laboratory',
    weight: 8,
    method: 'Metodă enzimatică colorimetrică. Probă: ser, recoltat pe nemâncate (12 ore).',
    analytes: [
      ['Colesterol total', 'mg/dL', null, 200, 0],
      ['HDL-colesterol', 'mg/dL', 45, null, 0],
      ['LDL-colesterol (calculat)', 'mg/dL', null, 115, 0],
      ['Non-HDL-colesterol', 'mg/dL', null, 145, 0],
      ['Trigliceride', 'mg/dL', null, 150, 0],
      ['Lipoproteina (a)', 'mg/dL', null, 30, 1],
    ],
    conclusion: [
      'Profil lipidic în țintă.',
      'Dislipidemie; se recomandă evaluarea riscului cardiovascular global.',
    ],
  },
  {
    title: 'Transaminaze și funcție hepatică',
    category: 'laborator::biochimie::functie-hepatica',
    examiner: 'laboratory',
    weight: 6,
    method: 'Spectrofotometrie, metodă IFCC la 37 °C. Probă: ser.',
    analytes: [
      ['Alaninaminotransferază (ALT/TGP)', 'U/L', null, 41, 0],
      ['Aspartataminotransferază (AST/TGO)', 'U/L', null, 40, 0],
      ['Gama-glutamiltransferază (GGT)', 'U/L', null, 60, 0],
      ['Fosfatază alcalină', 'U/L', 40, 129, 0],
      ['Bilirubină totală', 'mg/dL', null, 1.2, 2],
      ['Bilirubină directă', 'mg/dL', null, 0.3, 2],
      ['Albumină', 'g/dL', 3.5, 5.2, 1],
      ['Proteine totale', 'g/dL', 6.4, 8.3, 1],
    ],
    conclusion: [
      'Fără modificări biochimice.',
      'Citoliză ușoară; se recomandă ecografie abdominală și repetare la o lună.',
    ],
  },
  {
    title: 'Glicemie și hemoglobină glicată',
    category: 'laborator::biochimie::glicemie',
    examiner: 'laboratory',
    weight: 6,
    method: 'Hexokinază, respectiv HPLC (trasabil NGSP). Probe: ser și sânge integral.',
    analytes: [
      ['Glucoză', 'mg/dL', 74, 106, 0],
      ['Hemoglobină glicată (HbA1c)', '%', 4, 5.6, 1],
      ['Glicemie medie estimată', 'mg/dL', 68, 114, 0],
      ['Insulină', 'µUI/mL', 2.6, 24.9, 1],
      ['Indice HOMA-IR', '', null, 2.5, 2],
    ],
    conclusion: [
      'Toleranță normală la glucoză.',
      'Valori sugestive pentru prediabet; se recomandă consult de diabetologie.',
    ],
  },
  {
    title: 'TSH, FT4 și anticorpi antitiroidieni',
    category: 'laborator::imunologie::tiroida',
    examiner: 'laboratory',
    weight: 6,
    method: 'Electrochemiluminiscență (ECLIA). Probă: ser.',
    analytes: [
      ['TSH', 'µUI/mL', 0.27, 4.2, 3],
      ['FT4', 'ng/dL', 0.93, 1.7, 2],
      ['FT3', 'pg/mL', 2, 4.4, 2],
      ['Anticorpi anti-tiroidperoxidază (ATPO)', 'UI/mL', null, 34, 1],
      ['Anticorpi anti-tiroglobulină', 'UI/mL', null, 115, 1],
    ],
    conclusion: [
      'Eutiroidie.',
      'Modificări compatibile cu tiroidită autoimună; se recomandă consult endocrinologic.',
    ],
  },
  {
    title: 'Urocultură și sumar de urină',
    category: 'laborator::microbiologie::urocultura',
    examiner: 'laboratory',
    weight: 5,
    method: 'Însămânțare cantitativă pe medii cromogene, incubare 18–24 h la 37 °C; identificare MALDI-TOF.',
    analytes: [
      ['Densitate urinară', '', 1.005, 1.03, 3],
      ['pH', '', 5, 7.5, 1],
      ['Leucocite', '/µL', null, 25, 0],
      ['Eritrocite', '/µL', null, 15, 0],
      ['Proteine', 'mg/dL', null, 15, 0],
      ['Corpi cetonici', 'mg/dL', null, 5, 0],
    ],
    conclusion: [
      'Sub 1.000 UFC/mL: urocultură negativă.',
      'Escherichia coli peste 100.000 UFC/mL, sensibilă la nitrofurantoină și fosfomicină.',
    ],
  },
  {
    title: 'Ecografie abdominală',
    category: 'imagistica::ecografie::abdominala',
    examiner: 'imaging',
    weight: 12,
    method: 'Ecografie în modul B și Doppler color, sondă convexă 3,5 MHz, pe nemâncate.',
    findings: [
      [
        'Ficat',
        'Dimensiuni normale, lob drept 14,2 cm, ecostructură omogenă, contur regulat, fără formațiuni focale.',
        'Hepatomegalie moderată, lob drept 16,8 cm, ecogenitate crescută difuz, cu atenuare posterioară (steatoză gradul II).',
      ],
      [
        'Colecist și căi biliare',
        'Colecist transsonic, pereți subțiri, fără imagini de calculi. Cale biliară principală de 4 mm.',
        'Colecist cu un calcul mobil de 11 mm, cu con de umbră posterioară; pereți de 3 mm.',
      ],
      ['Pancreas', 'Vizibil parțial (cap și corp), omogen, fără dilatarea ductului Wirsung.'],
      ['Splină', 'Omogenă, ax lung de 10,4 cm.'],
      [
        'Rinichi',
        'Bilateral de dimensiuni normale, index parenchimatos păstrat, fără calculi, fără stază.',
        'Rinichi drept cu un chist cortical simplu de 18 mm la polul superior; rinichi stâng normal.',
      ],
      ['Vezică urinară', 'În repleție, transsonică, pereți regulați. Fără lichid liber în abdomen.'],
    ],
    conclusion: [
      'Aspect ecografic abdominal în limite normale.',
      'Modificările descrise nu impun intervenție imediată; se recomandă control ecografic la 6 luni.',
    ],
    picture: 'ultrasound',
  },
  {
    title: 'Ecografie tiroidiană',
    category: 'imagistica::ecografie::tiroidiana',
    examiner: 'imaging',
    weight: 6,
    method: 'Ecografie de înaltă rezoluție, sondă liniară 7–12 MHz, Doppler color.',
    findings: [
      [
        'Lob drept',
        '16 × 15 × 46 mm, omogen, izoecogen, vascularizație normală.',
        '18 × 17 × 49 mm, cu un nodul hipoecogen de 9 × 7 mm, contur regulat, fără microcalcificări (TI-RADS 3).',
      ],
      [
        'Lob stâng',
        '15 × 14 × 44 mm, omogen, fără noduli.',
        '17 × 15 × 45 mm, ecostructură neomogenă, aspect de tiroidită.',
      ],
      ['Istm', '3 mm.'],
      ['Regiuni laterocervicale', 'Fără adenopatii cu caracter suspect.'],
    ],
    conclusion: [
      'Tiroidă normală ecografic.',
      'Se recomandă TSH, FT4, ATPO și reevaluare ecografică la 12 luni.',
    ],
    picture: 'ultrasound',
  },
  {
    title: 'Ecografie obstetricală, trimestrul II',
    category: 'imagistica::ecografie::obstetricala',
    examiner: 'imaging',
    weight: 4,
    method: 'Ecografie transabdominală, sondă convexă.',
    findings: [
      ['Făt', 'Unic, viu, prezentație cefalică, bătăi cardiace ritmice, 146/min.'],
      [
        'Biometrie',
        'DBP 49 mm, CC 182 mm, CA 160 mm, LF 34 mm: corespunde unei sarcini de 20 de săptămâni și 5 zile.',
      ],
      ['Morfologie', 'Structuri evidențiate normal la data examinării.'],
      [
        'Placentă și lichid amniotic',
        'Placentă posterioară, gradul 0; lichid amniotic în cantitate normală.',
        'Placentă anterioară, jos inserată, la 22 mm de orificiul cervical intern; lichid amniotic normal.',
      ],
    ],
    conclusion: [
      'Sarcină unică în evoluție, cu biometrie corespunzătoare.',
      'Sarcină în evoluție; se recomandă reevaluarea placentei la 30 de săptămâni.',
    ],
    picture: 'ultrasound',
    only: 'women',
  },
  {
    title: 'Radiografie toracică, incidență postero-anterioară',
    category: 'imagistica::radiologie::torace',
    examiner: 'imaging',
    weight: 8,
    method: 'Radiografie digitală directă, 110 kV, doză efectivă estimată 0,02 mSv.',
    findings: [
      [
        'Plămâni',
        'Fără opacități pleuro-pulmonare evolutive.',
        'Opacitate bazală dreaptă, imprecis delimitată, de 24 mm.',
      ],
      ['Mediastin și cord', 'Cord de dimensiuni normale, indice cardiotoracic 0,46; mediastin nelărgit.'],
      [
        'Diafragm și sinusuri',
        'Sinusuri costodiafragmatice libere.',
        'Sinus costodiafragmatic drept parțial opacifiat.',
      ],
      ['Schelet', 'Fără leziuni osoase vizibile la expunerea dată.'],
    ],
    conclusion: [
      'Imagine toracică fără modificări patologice.',
      'Aspect sugestiv pentru pneumonie bazală dreaptă; control radiologic după tratament.',
    ],
    picture: 'chest',
  },
  {
    title: 'CT torace nativ și cu substanță de contrast',
    category: 'imagistica::ct::torace',
    examiner: 'imaging',
    weight: 4,
    method:
      'Achiziție elicoidală, 128 de secțiuni, reconstrucții de 1 mm; 80 mL contrast iodat i.v. DLP 312 mGy·cm.',
    findings: [
      [
        'Parenchim pulmonar',
        'Fără condensări sau noduli suspecți.',
        'Nodul solid de 6 mm în segmentul 6 stâng, contur net.',
      ],
      ['Pleură', 'Fără lichid pleural.'],
      ['Mediastin', 'Fără adenopatii; structuri vasculare opacifiate omogen.'],
      ['Etaj abdominal superior', 'Fără leziuni focale pe secțiunile examinate.'],
    ],
    conclusion: [
      'Examen CT toracic în limite normale.',
      'Micronodul pulmonar; se recomandă CT de control la 6–12 luni (Fleischner).',
    ],
    picture: 'thorax',
    series: true,
    only: 'adults',
  },
  {
    title: 'RMN cerebral',
    category: 'imagistica::rmn::cerebral',
    examiner: 'imaging',
    weight: 5,
    method: 'RMN 1,5 T, secvențe T1, T2, FLAIR, DWI, T2*; fără contrast.',
    findings: [
      [
        'Parenchim cerebral',
        'Fără restricții de difuzie și fără leziuni înlocuitoare de spațiu.',
        'Câteva focare punctiforme în hipersemnal FLAIR, frontal bilateral, cu aspect microangiopatic (Fazekas 1).',
      ],
      ['Sistem ventricular', 'Simetric, de dimensiuni normale, pe linia mediană.'],
      ['Fosă posterioară', 'Trunchi cerebral și cerebel cu aspect normal.'],
      ['Sinusuri paranazale', 'Normal aerate.', 'Îngroșare de mucoasă în sinusul maxilar drept, de 5 mm.'],
    ],
    conclusion: [
      'Examen RMN cerebral fără modificări patologice.',
      'Modificări nespecifice, de corelat clinic; control la nevoie.',
    ],
    picture: 'head',
    series: true,
  },
  {
    title: 'RMN coloană lombară',
    category: 'imagistica::rmn::lombar',
    examiner: 'imaging',
    weight: 5,
    method: 'RMN 1,5 T, secvențe T1, T2 și STIR în plan sagital, T2 axial.',
    findings: [
      ['Aliniament', 'Lordoză lombară păstrată, fără listezis.', 'Rectitudine lombară.'],
      [
        'Discuri intervertebrale',
        'Semnal și înălțime păstrate.',
        'L4–L5: protruzie discală posteromediană de 4 mm. L5–S1: deshidratare discală.',
      ],
      ['Canal medular', 'Con medular la nivel L1, semnal normal.'],
      ['Părți moi', 'Fără modificări paravertebrale.'],
    ],
    conclusion: [
      'Fără conflict disco-radicular.',
      'Discopatie L4–L5 și L5–S1, fără conflict radicular evident; se recomandă kinetoterapie.',
    ],
    picture: 'spine',
    series: true,
    only: 'adults',
  },
  {
    title: 'Electrocardiogramă de repaus, 12 derivații',
    category: 'cardiologie::ecg',
    examiner: 'cardiology',
    weight: 8,
    method: '25 mm/s, 10 mm/mV, filtru 0,05–150 Hz.',
    findings: [
      ['Ritm', 'Sinusal, 72/min.', 'Sinusal, 96/min, cu rare extrasistole atriale.'],
      [
        'Conducere',
        'PR 160 ms, QRS 88 ms, axă electrică la 45°.',
        'Bloc minor de ramură dreaptă, QRS 108 ms.',
      ],
      ['Repolarizare', 'Fără modificări ischemice. QTc 412 ms.'],
    ],
    conclusion: [
      'Traseu electrocardiografic normal.',
      'Traseu cu modificări minore; se recomandă Holter ECG 24 h.',
    ],
    picture: 'ecg',
  },
  {
    title: 'Ecocardiografie transtoracică',
    category: 'cardiologie::ecocardiografie',
    examiner: 'cardiology',
    weight: 5,
    method: 'Ecocardiografie 2D, M și Doppler.',
    findings: [
      [
        'Ventricul stâng',
        'VTD 98 mL, fracție de ejecție 61 % (Simpson biplan), cinetică segmentară normală.',
        'Hipertrofie concentrică ușoară (SIV 12 mm), fracție de ejecție 56 %.',
      ],
      ['Atrii', 'Nedilatate.', 'Atriu stâng ușor dilatat, 38 mL/m².'],
      [
        'Valve',
        'Fără stenoze; regurgitare mitrală fiziologică.',
        'Regurgitare mitrală ușoară; scleroză aortică.',
      ],
      ['Pericard', 'Fără lichid.'],
    ],
    conclusion: ['Ecocardiografie în limite normale.', 'Cardiopatie hipertensivă incipientă; control anual.'],
    picture: 'ultrasound',
    only: 'adults',
  },
  {
    title: 'Monitorizare ambulatorie a tensiunii arteriale, 24 h',
    category: 'cardiologie::holter::tensiune',
    examiner: 'cardiology',
    weight: 4,
    method: 'Înregistrare oscilometrică, la 20 de minute ziua și la 30 de minute noaptea.',
    analytes: [
      ['Sistolică medie, 24 h', 'mmHg', 100, 130, 0],
      ['Diastolică medie, 24 h', 'mmHg', 60, 80, 0],
      ['Sistolică medie, ziua', 'mmHg', 105, 135, 0],
      ['Sistolică medie, noaptea', 'mmHg', 90, 120, 0],
      ['Scădere nocturnă', '%', 10, 20, 0],
      ['Frecvență cardiacă medie', '/min', 55, 95, 0],
    ],
    conclusion: ['Profil tensional normal, dipper.', 'Hipertensiune arterială gradul I, profil non-dipper.'],
    only: 'adults',
  },
  {
    title: 'Scrisoare medicală',
    category: 'consultatii::scrisoare-medicala',
    examiner: 'consultation',
    weight: 6,
    method: 'Consultație de medicină internă și examen clinic pe aparate și sisteme.',
    findings: [
      [
        'Motivele prezentării',
        'Control periodic.',
        'Dureri epigastrice postprandiale, de aproximativ două săptămâni.',
      ],
      ['Examen clinic', 'Stare generală bună, afebril, TA 125/75 mmHg, AV 74/min, abdomen nedureros.'],
      [
        'Recomandări',
        'Regim alimentar echilibrat, mișcare 30 de minute pe zi, control la 12 luni.',
        'Regim de cruțare digestivă, pantoprazol 40 mg/zi timp de 4 săptămâni, control cu rezultatele.',
      ],
    ],
    conclusion: [
      'Clinic sănătos la data examinării.',
      'Gastrită acută probabilă; se recomandă reevaluare la o lună.',
    ],
  },
  {
    title: 'Consult interdisciplinar preoperator',
    category: 'consultatii::interdisciplinar',
    examiner: 'consultation',
    weight: 3,
    method: 'Evaluarea documentelor și examen clinic.',
    findings: [
      [
        'Antecedente',
        'Fără antecedente patologice semnificative.',
        'Hipertensiune arterială tratată, alergie la penicilină.',
      ],
      ['Risc anestezic', 'ASA I.', 'ASA II.'],
      [
        'Recomandări',
        'Fără contraindicații pentru intervenția programată.',
        'Întreruperea anticoagulantului cu 48 de ore înainte.',
      ],
    ],
    conclusion: ['Apt pentru intervenția programată.', 'Apt, cu recomandările de mai sus.'],
    only: 'adults',
  },
]
