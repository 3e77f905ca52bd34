import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.ts'

it.each([
  ['550', 'adresa nu există'],
  ['552', 'căsuța poștală este plină'],
  ['535', 'serverul de e-mail nu acceptă utilizatorul sau parola din configurare'],
  ['571', 'serverul de e-mail l-a refuzat'],
  ['451', 'serverul de e-mail nu îl primește deocamdată'],
  ['ECONNECTION', 'serverul de e-mail nu a răspuns'],
  ['EAUTH', 'serverul de e-mail nu acceptă utilizatorul sau parola din configurare'],
  ['suspended', 'contul sau instituția are accesul suspendat'],
  ['999', 'motiv necunoscut'],
  ['unknown', 'motiv necunoscut'],
])('%s: %s', (code, reason) => expect(explainFailure(code)).toBe(reason))
