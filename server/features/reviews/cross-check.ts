import { findCnps, maskCnp, parseCnp } from '../../../shared/cnp.ts'
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
 * Whether every single file says by itself that it is the patient's: it was read whole, each of its pages holds the
 * patient's CNP, and nowhere stands what could be read as somebody else's. A picture, a scan, an archive or a page without
 * text says nothing, and what says nothing confirms nothing.
 */
export function confirmsPatient(
  patientCnp: string | null,
  files: readonly { content_text: string | null; scan_result: string; facts: unknown }[],
): boolean {
  return (
    files.length > 0 &&
    files.every(({ content_text, scan_result, facts }) => {
      const text = content_text ?? ''
      const pages = text.replace(/\f$/, '').split('\f')
      return (
        scan_result === 'clean' &&
        (facts as FileFacts).wholeText === true &&
        pages.every((page) => listCnps(page).some((cnp) => cnp === patientCnp)) &&
        findPossibleCnps(text).every((cnp) => cnp === patientCnp)
      )
    })
  )
}

/** Up to three characters that are no letters, a line's end included: so digits of one number may stand apart. */
const APART = /(?<=\d)[^\dA-Za-z]{1,3}(?=\d)/g

/**
 * Whatever thirteen digits in a row make a valid CNP, however they are set apart, also in the middle of a longer number. It
 * finds some that are none, which costs a reviewer's look.
 */
function findPossibleCnps(text: string): string[] {
  const runs = text.replace(APART, '').match(/\d{13,}/g) ?? []
  return runs
    .flatMap((run) => Array.from({ length: run.length - 12 }, (_, start) => run.slice(start, start + 13)))
    .filter((digits) => parseCnp(digits).ok)
}

/** The valid ones, each once. */
const listCnps = (text: string | null): string[] => [...new Set(findCnps(text ?? '').map(({ cnp }) => cnp))]
