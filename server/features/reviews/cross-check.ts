import { findCnps, maskCnp } from '../../../shared/cnp.ts'
import type { FileFacts } from '../uploads/inspection.ts'

/** A file that names a person other than the patient it is filed for. */
export type Mismatch = { fileId: string; fileName: string; cnpMasked: string }

/**
 * The valid CNPs in the files' text that are not the patient's, each once a file. A patient without a CNP agrees with
 * none. What has no text (a picture, a scan) says nothing: the reviewer's eyes remain.
 */
export function findMismatches(
  patientCnp: string | null,
  files: readonly { id: string; name: string; content_text: string | null }[],
): Mismatch[] {
  return files.flatMap(({ id, name, content_text }) =>
    listCnps(content_text)
      .filter((cnp) => cnp !== patientCnp)
      .map((cnp) => ({ fileId: id, fileName: name, cnpMasked: maskCnp(cnp) })),
  )
}

/**
 * Whether every single file says by itself that it is the patient's: it was read whole, holds the patient's CNP, and
 * nobody else's. A picture, a scan, an archive or a page without text says nothing, and what says nothing confirms nothing.
 */
export function confirmsPatient(
  patientCnp: string | null,
  files: readonly { content_text: string | null; scan_result: string; facts: unknown }[],
): boolean {
  return (
    files.length > 0 &&
    files.every(({ content_text, scan_result, facts }) => {
      const [cnp, ...others] = listCnps(content_text)
      const isWhole = (facts as FileFacts).wholeText === true
      return scan_result === 'clean' && isWhole && cnp === patientCnp && others.length === 0
    })
  )
}

/** The valid ones, each once. */
const listCnps = (text: string | null): string[] => [...new Set(findCnps(text ?? '').map(({ cnp }) => cnp))]
