import type { UploadState } from '../../shared/uploads/upload-state-list.ts'
import { isFinal } from '../../shared/uploads/upload-states.ts'

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
  /** Of these, the ones that have opened it since they were asked to delete it. */
  mayKeep: ReadonlySet<string>
  /** The user of an institution who sends it, by the place, and in whose name; null: staff do. */
  sender: { guest: number; institution: string } | null
}
const NONE: ReadonlySet<string> = new Set()
/** What a new upload begins with. */
export const NEW_UPLOAD = {
  releasedAt: null,
  replaces: null,
  openedBy: NONE,
  mayKeep: NONE,
  sender: null,
} as const
type Merge = {
  at: number
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
  /** The uploads that were withdrawn or replaced, each with an institution that had opened it and was not asked to delete it. */
  readonly recalls = new Set<string>()
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

  /** What users of these institutions have sent and submitted, each with its patient if the sending institution has referred them. */
  seenSent(institutions: readonly string[]): string[] {
    return [...this.uploads]
      .flatMap(([id, { sender, state, patient }]) => {
        const isSeen = sender && institutions.includes(sender.institution)
        if (!isSeen || state === 'receiving' || state === 'withdrawn') return []
        return `${id} ${this.seenPatients([sender.institution]).includes(patient) ? patient : null}`
      })
      .sort()
  }

  /** What the user of these institutions has begun to send, each with its patient if the user may know them. */
  seenDrafts(guest: number, institutions: readonly string[]): string[] {
    return [...this.uploads]
      .filter(([, { sender, state }]) => sender?.guest === guest && state === 'receiving')
      .map(
        ([id, { patient }]) => `${id} ${this.seenPatients(institutions).includes(patient) ? patient : null}`,
      )
      .sort()
  }

  /** Throws unless an institution may send files of the patient. */
  requireSending(patient: string, institution: string): void {
    if (!this.referringInstitutions(patient).includes(institution))
      throw new Error('files were sent for a patient whom the institution has not referred')
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

  /** What users of institutions have sent, in these states. */
  sentIn(...states: UploadState[]): string[] {
    return this.uploadsIn(...states).filter((id) => this.uploads.get(id)!.sender !== null)
  }

  uploadsIn(...states: UploadState[]): string[] {
    return [...this.uploads].filter(([, { state }]) => states.includes(state)).map(([id]) => id)
  }

  /** Releases an upload in the place of its former version; back to review if that is of another patient by now. */
  release(id: string): void {
    const upload = this.uploads.get(id)!
    const former = upload.replaces === null ? undefined : this.uploads.get(upload.replaces)!
    const isFormerFinal = !former || isFinal(former.state)
    if (!isFormerFinal && former.patient !== upload.patient) {
      upload.state = 'in_review'
      return
    }
    Object.assign(upload, { state: 'released', releasedAt: this.now })
    if (upload.replaces !== null) this.#askFormer(id, upload.institution)
    if (!isFormerFinal) this.retire(upload.replaces!, 'replaced')
  }

  /** Withdraws or replaces an upload; the institutions that have opened it and were not asked to delete it get a recall. */
  retire(id: string, state: 'withdrawn' | 'replaced'): void {
    const upload = this.uploads.get(id)!
    if (upload.releasedAt !== null)
      for (const institution of upload.mayKeep) this.recalls.add(`${id} ${institution}`)
    upload.state = state
  }

  #askToDelete(upload: string, institution: string): void {
    this.deletionRequests.push({ upload, institution })
    this.recalls.delete(`${upload} ${institution}`)
  }

  /** Whoever has opened a version of the result, this one or one before, and is not its institution now is asked. */
  #askFormer(id: string, institution: string | null): void {
    const { patient } = this.uploads.get(id)!
    for (let version: string | null = id; version !== null; version = this.uploads.get(version)!.replaces) {
      const upload = this.uploads.get(version)!
      if (upload.patient !== patient) continue
      for (const former of upload.mayKeep) if (former !== institution) this.#askToDelete(version, former)
      upload.mayKeep = new Set([...upload.mayKeep].filter((each) => each === institution))
    }
  }

  /** A user of the upload's institution opens it. */
  open(id: string): void {
    const upload = this.uploads.get(id)!
    upload.openedBy = new Set([...upload.openedBy, upload.institution!])
    upload.mayKeep = new Set([...upload.mayKeep, upload.institution!])
  }

  /** Another institution, which needs another verdict; the new version that waits goes there too. */
  correct(id: string, institution: string | null): void {
    const upload = this.uploads.get(id)!
    const former = upload.institution
    if (former === institution) return
    this.#askFormer(id, institution)
    for (const each of [upload, this.#waitingVersion(id)]) {
      if (!each || each.institution !== former) continue
      each.institution = institution
      if (each.state === 'accepted' || each.state === 'released') each.state = 'in_review'
    }
  }

  #waitingVersion(id: string): Upload | undefined {
    return [...this.uploads.values()].find(({ replaces, state }) => replaces === id && !isFinal(state))
  }

  /** Uploads that a correction may change: accepted, or released for their patient. */
  correctableUploads(): string[] {
    return [...new Set([...this.uploadsIn('accepted'), ...this.#releasedUploads()])]
  }

  /** Uploads that were released for their patient, also if they were returned to review since. */
  #releasedUploads(): string[] {
    const ids = this.uploadsIn('released', 'in_review', 'accepted', 'rejected')
    return ids.filter((id) => this.uploads.get(id)!.releasedAt !== null)
  }

  /** Uploads that may be moved to another patient after their verdict. */
  movableUploads(): string[] {
    return [...this.#releasedUploads(), ...this.uploadsIn('withdrawn', 'replaced')]
  }

  /**
   * Moves an upload to the patient to whom it belongs, with all versions of that patient unless it is final; those who
   * opened one are asked to delete it.
   */
  moveReleased(id: string, to: { patient: string; institution: string | null }): void {
    const { state: before, patient } = this.uploads.get(id)!
    for (const version of isFinal(before) ? [id] : this.#versionsOf(id, patient)) {
      const upload = this.uploads.get(version)!
      for (const institution of upload.openedBy) this.#askToDelete(version, institution)
      const { state, releasedAt } = upload
      const returns =
        state === 'released' || state === 'accepted' || (state === 'rejected' && releasedAt !== null)
      Object.assign(upload, { ...to, releasedAt: null, openedBy: NONE, mayKeep: NONE })
      if (returns) upload.state = 'in_review'
    }
  }

  /** The versions of the result that lead from this one to each other at this patient. */
  #versionsOf(id: string, patient: string): Set<string> {
    const found = new Set([id])
    for (const from of found)
      for (const [other, { replaces, ...upload }] of this.uploads)
        if (upload.patient === patient && (replaces === from || this.uploads.get(from)!.replaces === other))
          found.add(other)
    return found
  }

  /** Undoes a merge; what either patient got released meanwhile needs another verdict. */
  undoMerge(id: string): void {
    const merge = this.merges.get(id)!
    const { survivor, merged, at } = merge
    this.moveRows(survivor, merged, merge)
    this.patients.get(merged)!.mergedInto = null
    merge.isUndone = true
    for (const upload of this.uploads.values())
      if (
        [survivor, merged].includes(upload.patient) &&
        upload.state === 'released' &&
        upload.releasedAt! > at
      )
        upload.state = 'in_review'
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
