import type { UploadState } from '../../shared/uploads/upload-states.ts'

type Referral = { patient: string; institution: string; mistaken: boolean; endedAt: number | null }
type Upload = {
  patient: string
  institution: string | null
  state: UploadState
  /** Null until it is released for this patient. */
  releasedAt: number | null
  /** The upload whose place it takes with its release. */
  replaces: string | null
  /** The institutions whose users have opened it, since it was moved to this patient. */
  openedBy: ReadonlySet<string>
}
/** What a new upload begins with. */
export const NEW_UPLOAD = { releasedAt: null, replaces: null, openedBy: new Set<string>() } as const
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
  /** What the last command about an upload was about. */
  lastUpload: string | null = null
  readonly patients = new Map<string, { mergedInto: string | null }>()
  readonly referrals = new Map<string, Referral>()
  readonly uploads = new Map<string, Upload>()
  readonly merges = new Map<string, Merge>()
  /** Which institution was asked to delete which upload, in any order. */
  readonly deletionRequests: { upload: string; institution: string }[] = []
  /** Every file that was ever stored. */
  readonly files = new Map<string, { upload: string; sha256: string }>()

  /** The uploads that the users of these institutions see. */
  seenUploads(institutions: readonly string[]): string[] {
    return [...this.uploads]
      .filter(
        ([, { state, patient, institution, releasedAt }]) =>
          state === 'released' &&
          institution !== null &&
          releasedAt !== null &&
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

  /** The institutions with a referral of the patient that has not ended, to which uploads may go. */
  referringInstitutions(patient: string): string[] {
    const open = [...this.referrals.values()].filter(
      (each) => each.patient === patient && each.endedAt === null,
    )
    return [...new Set(open.map(({ institution }) => institution))]
  }

  /** The patients who were not merged into another. */
  livePatients(): string[] {
    return [...this.patients].filter(([, { mergedInto }]) => mergedInto === null).map(([id]) => id)
  }

  uploadsIn(...states: UploadState[]): string[] {
    return [...this.uploads].filter(([, { state }]) => states.includes(state)).map(([id]) => id)
  }

  /** Releases an upload in the place of its former version; back to review if that is of another patient by now. */
  release(id: string): void {
    const upload = this.uploads.get(id)!
    const former = upload.replaces === null ? undefined : this.uploads.get(upload.replaces)!
    const isFormerFinal = !former || former.state === 'withdrawn' || former.state === 'replaced'
    if (!isFormerFinal && former.patient !== upload.patient) {
      upload.state = 'in_review'
      return
    }
    Object.assign(upload, { state: 'released', releasedAt: this.now })
    if (!isFormerFinal) former.state = 'replaced'
  }

  /** Uploads that were released for their patient, also if they were returned to review since. */
  releasedUploads(): string[] {
    const ids = this.uploadsIn('released', 'in_review', 'accepted', 'rejected')
    return ids.filter((id) => this.uploads.get(id)!.releasedAt !== null)
  }

  /** Gives an upload another institution; the former one is asked to delete what was released to it and it has opened. */
  correct(id: string, institution: string | null): void {
    const upload = this.uploads.get(id)!
    const { institution: former, state, openedBy } = upload
    if (institution === former) return
    if (state === 'released' && former !== null && openedBy.has(former))
      this.deletionRequests.push({ upload: id, institution: former })
    Object.assign(upload, { institution, state: 'in_review' })
  }

  /** Moves a released upload to the patient to whom it belongs; those who opened it are asked to delete it. */
  moveReleased(id: string, to: { patient: string; institution: string | null }): void {
    const upload = this.uploads.get(id)!
    for (const institution of upload.openedBy) this.deletionRequests.push({ upload: id, institution })
    Object.assign(upload, { ...to, state: 'in_review', releasedAt: null, openedBy: new Set() })
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
