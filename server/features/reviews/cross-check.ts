import { maskCnp, parseCnp } from '../../../shared/cnp.ts'

/** A file that names a person other than the patient it is filed for. */
export type Mismatch = { fileId: string; fileName: string; cnpMasked: string }

/** As forms print it: in one piece, in its three groups, or a digit a box. One may begin inside what only looks like one. */
const CNP = /(?<!\d)(?=(\d{13}|\d[ -]\d{6}[ -]\d{6}|\d(?: \d){12})(?!\d))/g

/**
 * The valid CNPs in the files' text that are not the patient's, each once a file. A patient without a CNP agrees with
 * none. What has no text (a picture, a scan) says nothing: the reviewer's eyes remain.
 */
export function findMismatches(
  patientCnp: string | null,
  files: readonly { id: string; name: string; content_text: string | null }[],
): Mismatch[] {
  return files.flatMap(({ id, name, content_text }) =>
    [...new Set([...(content_text ?? '').matchAll(CNP)].map(([, found]) => found!.replace(/\D/g, '')))]
      .filter((text) => text !== patientCnp && parseCnp(text).ok)
      .map((text) => ({ fileId: id, fileName: name, cnpMasked: maskCnp(text) })),
  )
}
