import type { UploadState } from '../../shared/uploads/upload-states.ts'

type Referral = { patient: string; institution: string; mistaken: boolean; endedAt: number | null }
type Upload = { patient: string; institution: string | null; state: UploadState; releasedAt: number }
type Merge = {
  survivor: string
  merged: string
  uploads: readonly string[]
  referrals: readonly string[]
  isUndone: boolean
}

/** Who sees what, in plain words; by id. Time is the number of the command, 0 before the first. */
export class Model {
  now = 1
  readonly patients = new Map<string, { mergedInto: string | null }>()
  readonly referrals = new Map<string, Referral>()
  readonly uploads = new Map<string, Upload>()
  readonly merges = new Map<string, Merge>()
  /** Every file that was ever stored. */
  readonly files = new Map<string, { upload: string; sha256: string }>()

  /** The uploads that the users of these institutions see. */
  seenUploads(institutions: readonly string[]): string[] {
    return [...this.uploads]
      .filter(
        ([, { state, patient, institution, releasedAt }]) =>
          state === 'released' &&
          institution !== null &&
          institutions.includes(institution) &&
          this.#isReferred(patient, institution, releasedAt),
      )
      .map(([id]) => id)
      .sort()
  }

  #isReferred(patient: string, institution: string, releasedAt: number): boolean {
    return [...this.referrals.values()].some(
      (referral) =>
        referral.patient === patient &&
        referral.institution === institution &&
        !referral.mistaken &&
        (referral.endedAt === null || releasedAt <= referral.endedAt),
    )
  }

  /** The patients that the users of these institutions see. */
  seenPatients(institutions: readonly string[]): string[] {
    const referred = [...this.referrals.values()].filter(
      ({ institution, mistaken }) => institutions.includes(institution) && !mistaken,
    )
    return [...new Set(referred.map(({ patient }) => patient))].sort()
  }

  /** The patients who were not merged into another. */
  livePatients(): string[] {
    return [...this.patients].filter(([, { mergedInto }]) => mergedInto === null).map(([id]) => id)
  }

  uploadsIn(...states: UploadState[]): string[] {
    return [...this.uploads].filter(([, { state }]) => states.includes(state)).map(([id]) => id)
  }

  /** Moves these rows, of which some may have moved elsewhere since, to another patient. */
  moveRows(
    from: string,
    to: string,
    ids: { uploads: readonly string[]; referrals: readonly string[] },
  ): void {
    for (const id of ids.uploads) {
      const upload = this.uploads.get(id)!
      if (upload.patient === from) upload.patient = to
    }
    for (const id of ids.referrals) {
      const referral = this.referrals.get(id)!
      if (referral.patient === from) referral.patient = to
    }
  }
}
