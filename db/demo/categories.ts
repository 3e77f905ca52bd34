/** Slug, name, icon and colour of each category, in the order shown. */
export const DEMO_CATEGORIES = [
  ['laborator', 'Analize de laborator', 'test-tubes', '#4d7c0f'],
  ['laborator::hematologie', 'Hematologie', 'droplet', '#b91c1c'],
  ['laborator::hematologie::hemoleucograma', 'Hemoleucogramă', 'droplet', '#dc2626'],
  ['laborator::hematologie::coagulare', 'Coagulare', 'timer', '#9f1239'],
  ['laborator::biochimie', 'Biochimie', 'test-tubes', '#15803d'],
  ['laborator::biochimie::profil-lipidic', 'Profil lipidic', 'heart', '#65a30d'],
  ['laborator::biochimie::functie-hepatica', 'Funcție hepatică', 'test-tubes', '#047857'],
  ['laborator::biochimie::glicemie', 'Glicemie', 'droplet', '#0f766e'],
  ['laborator::imunologie', 'Imunologie', 'microscope', '#7e22ce'],
  ['laborator::imunologie::tiroida', 'Hormoni tiroidieni', 'microscope', '#9333ea'],
  ['laborator::microbiologie', 'Microbiologie', 'microscope', '#a16207'],
  ['laborator::microbiologie::urocultura', 'Urocultură', 'test-tubes', '#ca8a04'],
  ['imagistica', 'Imagistică', 'folders', '#0369a1'],
  ['imagistica::ecografie', 'Ecografie', 'activity', '#0284c7'],
  ['imagistica::ecografie::abdominala', 'Abdominală', 'activity', '#0ea5e9'],
  ['imagistica::ecografie::tiroidiana', 'Tiroidiană', 'activity', '#38bdf8'],
  ['imagistica::ecografie::obstetricala', 'Obstetricală', 'hand-holding-medical', '#db2777'],
  ['imagistica::radiologie', 'Radiologie', 'bone', '#475569'],
  ['imagistica::radiologie::torace', 'Torace', 'bone', '#64748b'],
  ['imagistica::ct', 'Computer tomograf', 'folders', '#1d4ed8'],
  ['imagistica::ct::torace', 'CT torace', 'folders', '#2563eb'],
  ['imagistica::rmn', 'RMN', 'brain', '#4338ca'],
  ['imagistica::rmn::cerebral', 'RMN cerebral', 'brain', '#4f46e5'],
  ['imagistica::rmn::lombar', 'RMN coloană lombară', 'bone', '#6366f1'],
  ['cardiologie', 'Cardiologie', 'heart', '#be123c'],
  ['cardiologie::ecg', 'Electrocardiogramă', 'activity', '#e11d48'],
  ['cardiologie::ecocardiografie', 'Ecocardiografie', 'heart', '#f43f5e'],
  ['cardiologie::holter', 'Holter', 'timer', '#c2410c'],
  ['cardiologie::holter::tensiune', 'Tensiune arterială', 'timer', '#ea580c'],
  ['consultatii', 'Consultații', 'stethoscope', '#0f766e'],
  ['consultatii::scrisoare-medicala', 'Scrisoare medicală', 'envelope', '#0d9488'],
  ['consultatii::interdisciplinar', 'Consult interdisciplinar', 'users', '#14b8a6'],
  ['administrativ', 'Documente administrative', 'hospital', '#57534e'],
  ['administrativ::consimtaminte', 'Consimțăminte', 'pdf', '#78716c'],
] as const

export type DemoCategorySlug = (typeof DEMO_CATEGORIES)[number][0]

/** Categories with manual release; all others release at the acceptance. */
export const RELEASED_BY_HAND: ReadonlySet<DemoCategorySlug> = new Set([
  'consultatii::scrisoare-medicala',
  'consultatii::interdisciplinar',
])
