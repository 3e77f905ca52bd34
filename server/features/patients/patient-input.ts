import { z } from 'zod'
import { findBirthDateError } from '../../../shared/birth-dates.ts'
import { CHANNELS } from '../../../shared/patients.ts'
import { parseCnp, SEXES } from '../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { invalid } from '../../errors.ts'
import {
  optionalCnp,
  optionalEmail,
  optionalNote,
  optionalPastDay,
  optionalPhone,
  optionalText,
  parseInput,
  requiredText,
} from '../../validation.ts'

const schema = z.object({
  surname: requiredText('Numele', 100),
  givenNames: requiredText('Prenumele', 100),
  previousSurname: optionalText('Numele anterior', 100),
  cnp: optionalCnp,
  birthDate: optionalPastDay('Data nașterii'),
  sex: z.enum(SEXES).nullable().default(null),
  phone: optionalPhone,
  email: optionalEmail,
  county: optionalText('Județul', 60),
  locality: optionalText('Localitatea', 100),
  address: optionalText('Adresa'),
  preferredChannel: z.enum(CHANNELS).nullable().default(null),
  notes: optionalNote('Nota'),
})

/**
 * Returns a patient as table columns, with birth date and sex from the CNP if it has them. Throws
 * BAD_USER_INPUT.
 */
export function readPatientInput(input: unknown) {
  const read = parseInput(schema, input)
  const details = read.cnp ? parseCnp(read.cnp) : null
  const known = details?.ok ? details : null
  if (read.birthDate && !known?.birthDate) {
    const message = findBirthDateError(read.birthDate, todayInRomania())
    if (message) throw invalid([{ field: 'birthDate', message }])
  }
  return {
    surname: read.surname,
    given_names: read.givenNames,
    previous_surname: read.previousSurname,
    cnp: read.cnp,
    birth_date: known?.birthDate ?? read.birthDate,
    sex: known?.sex ?? read.sex,
    phone: read.phone,
    email: read.email,
    county: read.county,
    locality: read.locality,
    address: read.address,
    preferred_channel: read.preferredChannel,
    notes: read.notes,
  }
}
