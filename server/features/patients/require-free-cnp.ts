import { invalid } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'

/** The unique index decides, also between two registrars at once; its refusal becomes the field's. */
export async function requireFreeCnp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'patient_cnp')) throw error
    throw invalid([{ field: 'cnp', message: 'Există deja un pacient cu acest CNP.' }])
  }
}
