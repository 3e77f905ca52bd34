import { maskCnp } from '../../../shared/romania/cnp.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import type { FileCnps } from '../uploads/inspection/find-cnps.ts'

/**
 * A file with the CNP of a person other than its patient; `isCut`: the file has more CNPs than are listed.
 */
export type Mismatch = { fileId: string; fileName: string; cnpMasked: string; isCut: boolean }

/**
 * Returns the CNPs in the files that are not the patient's, each once per file. For a patient without a CNP
 * these are all CNPs in the files. A file without text (an image, a scan) has no mismatch: only a person can
 * compare it.
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
 * Whether every file names this patient only: its whole text was read, each page has the patient's CNP, and
 * no other digits in it form a valid CNP. An image, a scan, an archive or a page without text does not
 * confirm the patient.
 */
export function confirmsPatient(patientCnp: string | null, files: readonly FileCnps[]): boolean {
  return (
    patientCnp !== null &&
    files.length > 0 &&
    files.every(
      ({ scan_result, facts, cnps }) =>
        isAccepted(scan_result) && facts.wholeText === true && cnps?.only === patientCnp,
    )
  )
}
