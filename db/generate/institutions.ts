import type { Db } from '../../server/platform/database/database.ts'
import { parseCui } from '../../shared/romania/cui.ts'
import { PLACES, STREETS } from '../demo/people.ts'
import { createRandom, drawId } from '../demo/random.ts'
import { makeInstitution } from '../factories.ts'
import { MANY_FEMALE_NAMES, MANY_MALE_NAMES, MANY_SURNAMES } from './names.ts'

const KINDS = [
  ['practice', 'Cabinet medical'],
  ['practice', 'Cabinet de medicină de familie'],
  ['clinic', 'Clinica'],
  ['clinic', 'Policlinica'],
  ['laboratory', 'Laboratorul'],
  ['hospital', 'Spitalul'],
] as const

export type Referring = { id: string; doctors: readonly string[] }

/** Returns a valid CUI in a range that is never assigned, with its check digit. */
function makeCui(place: number): string {
  const start = String(990_000_000 + place)
  return [...'0123456789'].map((digit) => start + digit).find((cui) => parseCui(cui).ok)!
}

/** Inserts `count` institutions besides those of the demo, at most hundreds, each with three referring doctors. */
export async function generateInstitutions(
  db: Db,
  { count, first, opened }: { count: number; first: number; opened: Date },
): Promise<Referring[]> {
  const random = createRandom('institutions')
  const drawPerson = () =>
    `Dr. ${random.pickWeighted(random.chance(0.6) ? MANY_FEMALE_NAMES : MANY_MALE_NAMES)} ${random.pickWeighted(MANY_SURNAMES)}`
  const institutions: Referring[] = []
  for (let place = first; place < first + count; place += 1) {
    const doctors = [drawPerson(), drawPerson(), drawPerson()]
    const [kind, title] = random.pick(KINDS)
    const { county, locality, postalCode } = random.pick(PLACES)
    const named = kind === 'practice' ? doctors[0]! : `„${random.pickWeighted(MANY_SURNAMES)}” ${locality}`
    const { id } = await makeInstitution(db, {
      id: drawId(random, opened),
      name: `${title} ${named}`,
      kind,
      code: `I${String(place).padStart(4, '0')}`,
      cui: makeCui(place),
      county,
      locality,
      address: `${random.pick(STREETS)} nr. ${random.integer(1, 140)}, ${postalCode}`,
      delivery: random.pick(['at_once', 'hourly', 'daily']),
      created_at: opened,
      updated_at: opened,
    })
    institutions.push({ id, doctors })
  }
  return institutions
}
