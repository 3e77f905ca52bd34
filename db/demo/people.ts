/** Surnames and given names with their weights: names common in Romania, combined at random. */

export const SURNAMES = [
  ['Popescu', 9],
  ['Ionescu', 8],
  ['Popa', 8],
  ['Radu', 6],
  ['Dumitru', 5],
  ['Stan', 5],
  ['Stoica', 4],
  ['Gheorghe', 4],
  ['Matei', 4],
  ['Ciobanu', 4],
  ['Rusu', 4],
  ['Munteanu', 4],
  ['Constantin', 3],
  ['Lazăr', 3],
  ['Șerban', 3],
  ['Mureșan', 3],
  ['Moldovan', 3],
  ['Țurcanu', 2],
  ['Bălan', 2],
  ['Cătană', 2],
  ['Crăciun', 2],
  ['Brânză', 2],
  ['Sîrbu', 2],
  ['Sârbu', 1],
  ['Pârvulescu', 2],
  ['Gânscă', 1],
  ['Ștefănescu', 2],
  ['Țîrlea', 1],
  ['Oprișan', 2],
  ['Vlădescu', 1],
  ['Neamțu', 2],
  ['Păun', 1],
  ['Szabó', 1],
  ['Kovács', 1],
] as const

export const DOUBLE_SURNAMES = ['Popescu-Țone', 'Marin-Bălășoiu', 'Enache-Știrbu', 'Văduva Câmpeanu'] as const

export const MALE_NAMES = [
  ['Andrei', 6],
  ['Alexandru', 6],
  ['Ion', 5],
  ['Mihai', 5],
  ['Gheorghe', 4],
  ['Ștefan', 4],
  ['Cristian', 4],
  ['Adrian', 3],
  ['Florin', 3],
  ['Bogdan', 3],
  ['Răzvan', 3],
  ['Cătălin', 3],
  ['Ionuț', 3],
  ['Costică', 1],
  ['Tiberiu', 1],
  ['Mihăiță', 1],
  ['Ion-Alexandru', 1],
  ['Ștefan Nicolae', 1],
] as const

export const FEMALE_NAMES = [
  ['Maria', 7],
  ['Elena', 6],
  ['Ana-Maria', 5],
  ['Ioana', 5],
  ['Andreea', 4],
  ['Cristina', 4],
  ['Mihaela', 4],
  ['Alexandra', 3],
  ['Mădălina', 3],
  ['Cătălina', 3],
  ['Anișoara', 2],
  ['Ștefania', 2],
  ['Sânziana', 2],
  ['Lăcrămioara', 1],
  ['Ruxandra', 2],
  ['Doinița', 1],
  ['Smărăndița', 1],
  ['Ioana Sânziana', 1],
] as const

/** A name for testing layouts: long, with only hyphens and one space to break at. */
export const LONGEST_NAME = {
  surname: 'Constantinescu-Brâncoveanu-Cantacuzino',
  givenNames: 'Maria-Magdalena-Ștefania Alexandrina-Elisabeta',
} as const

/** Localities with their county, its code in a CNP and a postal code. */
export const PLACES = [
  { locality: 'Cluj-Napoca', county: 'Cluj', code: 12, postalCode: '400001' },
  { locality: 'Dej', county: 'Cluj', code: 12, postalCode: '405200' },
  { locality: 'Brașov', county: 'Brașov', code: 8, postalCode: '500001' },
  { locality: 'Săcele', county: 'Brașov', code: 8, postalCode: '505600' },
  { locality: 'Iași', county: 'Iași', code: 22, postalCode: '700001' },
  { locality: 'Târgu Frumos', county: 'Iași', code: 22, postalCode: '705300' },
  { locality: 'Târgu Mureș', county: 'Mureș', code: 26, postalCode: '540001' },
  { locality: 'Sector 3', county: 'București', code: 43, postalCode: '030001' },
  { locality: 'Sfântu Gheorghe', county: 'Covasna', code: 14, postalCode: '520001' },
  { locality: 'Bistrița', county: 'Bistrița-Năsăud', code: 6, postalCode: '420001' },
] as const

export const STREETS = [
  'Str. Mihai Eminescu',
  'Str. Ștefan cel Mare',
  'Bd. Independenței',
  'Str. Florilor',
  'Str. Câmpului',
  'Aleea Teilor',
  'Str. Nicolae Bălcescu',
  'Calea Moților',
] as const

/** Doctors who sign the organisation's reports. */
export const EXAMINERS = {
  laboratory: 'Dr. Ileana Bărbulescu, medic primar medicină de laborator',
  imaging: 'Dr. Octavian Țepeș-Nistor, medic primar radiologie și imagistică medicală',
  cardiology: 'Dr. Sorina Mâțu, medic primar cardiologie',
  consultation: 'Dr. Vlad Hățieganu, medic primar medicină internă',
} as const
