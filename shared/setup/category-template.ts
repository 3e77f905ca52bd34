import type { CategoryIconName, CategoryProperties } from '../uploads/categories.ts'

/**
 * The categories that a new organisation can begin with: those of a Romanian laboratory and imaging centre. Each icon shows
 * the examination or the kind of document, and none a state or a season.
 */
export const CATEGORY_TEMPLATE = (
  [
    ['laborator', 'Analize de laborator', 'test-tubes', '#4d7c0f'],
    ['laborator::hematologie', 'Hematologie', 'droplet', '#b91c1c'],
    ['laborator::hematologie::hemoleucograma', 'Hemoleucogramă', 'droplet', '#dc2626'],
    ['laborator::hematologie::coagulare', 'Coagulare', 'droplet', '#9f1239'],
    ['laborator::biochimie', 'Biochimie', 'test-tubes', '#15803d'],
    ['laborator::imunologie', 'Imunologie', 'microscope', '#7e22ce'],
    ['laborator::imunologie::hormoni', 'Hormoni', 'microscope', '#9333ea'],
    ['laborator::microbiologie', 'Microbiologie', 'microscope', '#a16207'],
    ['laborator::biologie-moleculara', 'Biologie moleculară', 'microscope', '#0f766e'],
    ['laborator::urina', 'Examen de urină', 'test-tubes', '#ca8a04'],
    ['imagistica', 'Imagistică', 'folders', '#0369a1'],
    ['imagistica::radiografie', 'Radiografie', 'bone', '#475569'],
    ['imagistica::ecografie', 'Ecografie', 'activity', '#0284c7'],
    ['imagistica::ct', 'CT', 'folders', '#1d4ed8'],
    ['imagistica::rmn', 'RMN', 'brain', '#4338ca'],
    ['imagistica::mamografie', 'Mamografie', 'hand-holding-medical', '#db2777'],
    ['imagistica::dxa', 'DXA', 'bone', '#64748b'],
    ['anatomie-patologica', 'Anatomie patologică', 'microscope', '#9f1239'],
    ['anatomie-patologica::histopatologie', 'Histopatologie', 'microscope', '#be123c'],
    ['anatomie-patologica::citologie', 'Citologie', 'microscope', '#db2777'],
    ['cardiologie', 'Cardiologie', 'heart', '#be123c'],
    ['cardiologie::ekg', 'EKG', 'activity', '#e11d48'],
    ['cardiologie::ecocardiografie', 'Ecocardiografie', 'heart', '#f43f5e'],
    ['cardiologie::holter-ekg', 'Holter EKG', 'timer', '#c2410c'],
    ['cardiologie::holter-tensiune', 'Holter de tensiune arterială', 'timer', '#ea580c'],
    ['cardiologie::test-de-efort', 'Test de efort', 'activity', '#e11d48'],
    ['consultatii', 'Consultații', 'stethoscope', '#0f766e'],
    ['documente', 'Documente', 'documents', '#57534e'],
    ['documente::scrisoare-medicala', 'Scrisoare medicală', 'envelope', '#0d9488'],
    ['documente::bilet-de-trimitere', 'Bilet de trimitere', 'hospital', '#57534e'],
    ['documente::consimtamant', 'Consimțământ', 'pdf', '#78716c'],
    ['documente::programare', 'Programare', 'calendar', '#78716c'],
  ] satisfies [slug: string, name: string, icon: CategoryIconName, color: string][]
).map(([slug, name, icon, color]): CategoryProperties => ({ slug, name, icon, color }))
