import { invalid } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'

/**
 * Runs the work and turns a violation of the unique CNP, which the index detects, into an error of the field.
 */
export async function requireFreeCnp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'patient_cnp')) throw error
    throw invalid([{ field: 'cnp', message: 'Există deja un pacient cu acest CNP.' }])
  }
}
