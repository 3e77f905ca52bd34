/**
 * Proof that the gate has checked one upload for its release. Only `reviews/can-release.ts` makes it (an import rule), and
 * without it no function moves an upload to `accepted` or `released`.
 */
export class Clearance {
  /** Private, so that no object literal has this type. */
  readonly #uploadId: string

  constructor(uploadId: string) {
    this.#uploadId = uploadId
  }

  /** Throws an error if the clearance was given for another upload. */
  require(uploadId: string): void {
    if (this.#uploadId !== uploadId) throw new Error('the clearance is that of another upload')
  }
}
