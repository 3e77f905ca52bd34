import { maskCnp } from '../../../shared/romania/cnp.ts'
import type { FileCnps } from '../uploads/inspection/find-cnps.ts'

/** A file that names a person other than the patient it is filed for; `isCut`: it names more than are listed. */
export type Mismatch = { fileId: string; fileName: string; cnpMasked: string; isCut: boolean }

/**
 * The CNPs in the files that are not the patient's, each once a file. A patient without a CNP agrees with none. A file
 * without text (a picture, a scan) has none: only a person can compare it.
 */
export function findMismatches(patientCnp: string | null, files: readonly FileCnps[]): Mismatch[] {
  return files.flatMap(({ id, name, cnps }) =>
    (cnps?.found ?? [])
      .filter((cnp) => cnp !== patientCnp)
      .map((cnp) => ({
        fileId: id,
        fileName: name,
        cnpMasked: maskCnp(cnp),
        isCut: cnps?.isCut ?? false,
      })),
  )
}

/**
 * Whether each file names the patient and nobody else: it was read whole, each of its pages holds the patient's CNP, and
 * nothing in it can be read as another one. A picture, a scan, an archive or a page without text confirms nothing.
 */
export function confirmsPatient(patientCnp: string | null, files: readonly FileCnps[]): boolean {
  return (
    patientCnp !== null &&
    files.length > 0 &&
    files.every(
      ({ scan_result, facts: details, cnps }) =>
        scan_result === 'clean' && details.wholeText === true && cnps?.only === patientCnp,
    )
  )
}
