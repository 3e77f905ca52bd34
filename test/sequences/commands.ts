import fc from 'fast-check'
import { withSending } from '../../server/context.ts'
import { moveReleasedUpload } from '../../server/features/incidents/move-released-upload.ts'
import { mergePatients } from '../../server/features/merges/merge-patients.ts'
import { undoMerge } from '../../server/features/merges/undo-merge.ts'
import { createReferral } from '../../server/features/patients/create-referral.ts'
import { markDistinct } from '../../server/features/patients/duplicates/mark-distinct.ts'
import { updateReferral } from '../../server/features/referrals/update-referral.ts'
import { correctUpload } from '../../server/features/reviews/correct-upload.ts'
import { acceptUpload, rejectUpload } from '../../server/features/reviews/decide-upload.ts'
import { releaseDueUploads } from '../../server/features/reviews/release-due-uploads.ts'
import { undoVerdict } from '../../server/features/reviews/undo-verdict.ts'
import { createSentUpload } from '../../server/features/sent-uploads/create-sent-upload.ts'
import { editSentUpload } from '../../server/features/sent-uploads/edit-sent-upload.ts'
import { submitSentUpload } from '../../server/features/sent-uploads/submit-sent-upload.ts'
import { createUpload } from '../../server/features/uploads/create-upload.ts'
import { moveFiles } from '../../server/features/uploads/drafts/move-files.ts'
import { editUpload } from '../../server/features/uploads/edit-upload.ts'
import { submitUpload } from '../../server/features/uploads/submit-upload.ts'
import { replaceUpload } from '../../server/features/uploads/versions/replace-upload.ts'
import { withdrawUpload } from '../../server/features/uploads/withdraw-upload.ts'
import { todayInRomania } from '../../shared/romania/day.ts'
import type { TestClient } from '../test-server.ts'
import { tusRequests } from '../tus.ts'
import { type Model, NEW_UPLOAD } from './model.ts'
import { contextOf, GUESTS, jobContextOf, type World } from './world.ts'

/**
 * What a person does to the product and to the model. A new command needs an entry in `COMMANDS`; a new kind of row
 * also a line in `snapshot`, and what it shows belongs into `Model`.
 */
export interface Command<Values, Target, Result> {
  /** The numbers by which `choose` chooses among the rows that exist at that time. */
  values: fc.Arbitrary<Values>
  /** How often it is drawn; 1 if it is not given. */
  weight?: number
  /** Returns what the command is about; null if there is nothing. */
  choose(model: Model, world: World, values: Values): Target | null
  /** Asks the product, which may refuse, or crash. */
  act(world: World, target: Target): Promise<Result>
  /** What it means, if it was done. */
  apply(model: Model, target: Target, result: Result): void
  /** Whether a person decides by it that an institution sees more than before. */
  maySee: boolean
}

const command = <Values, Target, Result>(
  it: Command<Values, Target, Result>,
): Command<unknown, unknown, unknown> => it as unknown as Command<unknown, unknown, unknown>

const NUMBER = fc.nat({ max: 100 })
const two = fc.record({ one: NUMBER, other: NUMBER })

const pick = <T>(items: readonly T[], number: number): T | null =>
  items[number % Math.max(1, items.length)] ?? null

/** Chooses half of the time the upload of the last command, since its history is where mistakes are. */
function pickUpload(model: Model, ids: readonly string[], number: number): string | null {
  const isSame = number % 2 === 1 && model.lastUpload !== null && ids.includes(model.lastUpload)
  const id = isSame ? model.lastUpload : pick(ids, Math.floor(number / 2))
  model.lastUpload = id ?? model.lastUpload
  return id
}

/** The place of the user who sends the upload; with a number of another one. */
function guestOf(model: Model, id: string, number: number | null): number {
  const { guest } = model.uploads.get(id)!.sender!
  return number === null ? guest : (guest + 1 + (number % (GUESTS - 1))) % GUESTS
}

/** Returns an upload that the user has changed. Throws unless it is the one who sends it. */
function requireSender(model: Model, id: string, guest: number) {
  const upload = model.uploads.get(id)!
  if (upload.sender!.guest !== guest) throw new Error('an upload was changed by another sender')
  return upload
}

const versionOf = async ({ server }: World, table: 'patient' | 'upload' | 'referral', id: string) =>
  (await server.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

const titleOf = async ({ server }: World, id: string) =>
  (await server.db.selectFrom('upload').select('title').where('id', '=', id).executeTakeFirstOrThrow()).title

export const COMMANDS: Readonly<Record<string, Command<unknown, unknown, unknown>>> = {
  file: command({
    values: two,
    choose: (model, { institutions }, { one, other }) => ({
      patient: pick(model.livePatients(), one)!,
      institution: pick([...institutions, null], other),
    }),
    act: async (world, { patient, institution }) => {
      const ctx = contextOf(world, world.registrar)
      const details = {
        title: 'Rezultat',
        patientId: patient,
        institutionId: institution,
        referringDoctor: 'Dr. Avram',
      }
      const { id } = await createUpload(ctx, details)
      return { id, file: await sendFile(world, world.registrarClient, id) }
    },
    apply: (model, { patient, institution }, { id, file }) => {
      model.uploads.set(id, { ...NEW_UPLOAD, patient, institution, state: 'receiving' })
      model.files.set(file.id, { upload: id, sha256: file.sha256 })
    },
    maySee: false,
  }),
  'hand in': command({
    values: NUMBER,
    weight: 2,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('receiving', 'rejected'), number),
    act: async (world, id) => {
      await submitUpload(contextOf(world, world.registrar), { id })
      // The check of the files, in the sandbox.
      await world.server.runJobs()
    },
    apply: (model, id) => {
      model.uploads.get(id)!.state = 'in_review'
    },
    maySee: false,
  }),
  accept: command({
    values: NUMBER,
    weight: 3,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('in_review'), number),
    act: async (world, id) => {
      const version = await versionOf(world, 'upload', id)
      const reason = { reason: 'other', comment: 'Am comparat cu pacientul.' }
      await acceptUpload(contextOf(world, world.reviewer), { id, version, ...reason })
    },
    apply: (model, id) => {
      model.uploads.get(id)!.state = 'accepted'
    },
    // Not before the verdict can no longer be undone.
    maySee: false,
  }),
  'undo verdict': command({
    values: NUMBER,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('accepted', 'rejected'), number),
    act: async (world, id) => {
      const version = await versionOf(world, 'upload', id)
      await undoVerdict(contextOf(world, world.reviewer), { id, version })
    },
    apply: (model, id) => {
      model.uploads.get(id)!.state = 'in_review'
    },
    maySee: false,
  }),
  /** The time to undo an acceptance passes, and the job releases it. */
  release: command({
    values: NUMBER,
    weight: 3,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('accepted'), number),
    act: async (world, id) => {
      const setReleaseAt = (release_at: Date) =>
        world.server.db
          .updateTable('upload')
          .set({ release_at })
          .where('id', '=', id)
          .where('state', '=', 'accepted')
          .execute()
      await setReleaseAt(new Date(Date.now() - 1_000))
      // The job logs a crash and would try again a minute later.
      await releaseDueUploads(jobContextOf(world))
      await setReleaseAt(new Date(Date.now() + 60_000))
    },
    apply: (model, id) => model.release(id),
    maySee: true,
  }),
  reject: command({
    values: NUMBER,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('in_review'), number),
    act: async (world, id) => {
      const version = await versionOf(world, 'upload', id)
      await rejectUpload(contextOf(world, world.reviewer), { id, version, reason: 'unreadable' })
    },
    apply: (model, id) => {
      model.uploads.get(id)!.state = 'rejected'
    },
    maySee: false,
  }),
  'move to another patient': command({
    values: fc.record({ upload: NUMBER, patient: fc.option(NUMBER, { freq: 2 }), institution: NUMBER }),
    weight: 2,
    choose: (model, { institutions }, { upload, patient: place, institution }) => {
      const id = pickUpload(model, model.uploadsIn('receiving', 'in_review', 'rejected'), upload)
      if (id === null) return null
      // Another institution alone too, which is all that a new version may get.
      const patient = place === null ? model.uploads.get(id)!.patient : pick(model.livePatients(), place)!
      return { id, patient, institution: pick([...institutions, null], institution) }
    },
    act: async (world, { id, patient, institution }) => {
      const version = await versionOf(world, 'upload', id)
      const upload = { title: await titleOf(world, id), patientId: patient, institutionId: institution }
      await editUpload(contextOf(world, world.registrar), { id, version, upload })
    },
    apply: (model, { id, patient, institution }) => {
      Object.assign(model.uploads.get(id)!, { patient, institution })
    },
    maySee: false,
  }),
  /** The files of a draft are of another patient: of a new version they get a new draft. */
  'move files': command({
    values: two,
    weight: 2,
    choose: (model, _world, { one, other }) => {
      const id = pickUpload(model, model.uploadsIn('receiving'), one)
      if (id === null) return null
      const fileIds = [...model.files].filter(([, { upload }]) => upload === id).map(([file]) => file)
      return { id, fileIds, patient: pick(model.livePatients(), other)! }
    },
    act: async (world, { id: uploadId, fileIds, patient: patientId }) =>
      moveFiles(contextOf(world, world.registrar), { uploadId, fileIds, patientId }),
    apply: (model, { id, fileIds, patient }, { id: now }) => {
      const [institution = null, ...others] = model.referringInstitutions(patient)
      const details = { patient, institution: others.length === 0 ? institution : null }
      if (now === id) Object.assign(model.uploads.get(id)!, details)
      else model.uploads.set(now, { ...NEW_UPLOAD, ...details, state: 'receiving' })
      for (const file of fileIds) model.files.get(file)!.upload = now
    },
    maySee: false,
  }),
  /** A user of an institution opens a result. */
  open: command({
    values: fc.record({ guest: NUMBER, upload: NUMBER }),
    weight: 2,
    choose: (model, { guests }, { guest, upload }) => {
      const { client, institutionIds } = pick(guests, guest)!
      const id = pickUpload(model, model.seenUploads(institutionIds), upload)
      return id === null ? null : { id, client }
    },
    act: async (_world, { id, client }) => {
      await client.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    },
    apply: (model, { id }) => model.open(id),
    maySee: false,
  }),
  /** Another title and doctor, or another institution, which sees it only after another verdict. */
  correct: command({
    values: fc.record({ upload: NUMBER, institution: fc.option(NUMBER) }),
    weight: 2,
    choose: (model, { institutions }, { upload, institution }) => {
      const id = pickUpload(model, model.correctableUploads(), upload)
      if (id === null) return null
      const { patient, institution: former } = model.uploads.get(id)!
      const others = [...model.referringInstitutions(patient), ...institutions, null]
      return { id, institution: institution === null ? former : pick(others, institution) }
    },
    act: async (world, { id, institution }) => {
      const version = await versionOf(world, 'upload', id)
      const upload = {
        title: `Rezultat corectat ${version}`,
        institutionId: institution,
        referringDoctor: `Dr. ${version}`,
      }
      await correctUpload(contextOf(world, world.reviewer), { id, version, upload, reason: 'Greșeală' })
    },
    apply: (model, { id, institution }) => model.correct(id, institution),
    maySee: false,
  }),
  /**
   * A new version with a new file; the former one stays visible until its release. Its institution is changed as that
   * of any other upload, by `move to another patient`.
   */
  replace: command({
    values: NUMBER,
    weight: 2,
    choose: (model, _world, number) => pickUpload(model, model.uploadsIn('released'), number),
    act: async (world, former) => {
      const version = await versionOf(world, 'upload', former)
      const ctx = contextOf(world, world.registrar)
      const { id } = await replaceUpload(ctx, { id: former, version, reason: 'Lipsea o pagină' })
      return { id, file: await sendFile(world, world.registrarClient, id) }
    },
    apply: (model, former, { id, file }) => {
      const { patient, institution } = model.uploads.get(former)!
      const state = 'receiving'
      model.uploads.set(id, { ...NEW_UPLOAD, patient, institution, state, replaces: former })
      model.files.set(file.id, { upload: id, sha256: file.sha256 })
    },
    maySee: false,
  }),
  'move a released one': command({
    values: fc.record({ upload: NUMBER, patient: NUMBER, institution: NUMBER }),
    weight: 2,
    choose: (model, _world, { upload, patient, institution }) => {
      const id = pickUpload(model, model.movableUploads(), upload)
      if (id === null) return null
      const { patient: former } = model.uploads.get(id)!
      const others = model.livePatients().filter((each) => each !== former)
      const to = pick(others, patient)
      if (to === null) return null
      return { id, patient: to, institution: pick([...model.referringInstitutions(to), null], institution) }
    },
    act: async (world, { id, patient, institution }) => {
      const version = await versionOf(world, 'upload', id)
      const to = { patientId: patient, institutionId: institution }
      await moveReleasedUpload(contextOf(world, world.reviewer), { id, version, ...to, reason: 'Alt nume' })
    },
    apply: (model, { id, patient, institution }) => model.moveReleased(id, { patient, institution }),
    maySee: false,
  }),
  withdraw: command({
    values: NUMBER,
    choose: (model, _world, number) =>
      pickUpload(model, model.uploadsIn('in_review', 'accepted', 'rejected', 'released'), number),
    act: async (world, id) => {
      await withdrawUpload(contextOf(world, world.reviewer), id)
    },
    apply: (model, id) => {
      model.retire(id, 'withdrawn')
    },
    maySee: false,
  }),
  merge: command({
    values: two,
    weight: 3,
    choose: (model, _world, { one, other }) => {
      const survivor = pick(model.livePatients(), one)!
      const merged = pick(
        model.livePatients().filter((id) => id !== survivor),
        other,
      )
      return merged === null ? null : { survivor, merged }
    },
    act: async (world, { survivor, merged }) => {
      await mergePatients(contextOf(world, world.registrar), {
        survivorId: survivor,
        mergedId: merged,
        survivorVersion: await versionOf(world, 'patient', survivor),
        mergedVersion: await versionOf(world, 'patient', merged),
      })
      return world.server.db
        .selectFrom('patient_merge')
        .select('id')
        .where('merged_id', '=', merged)
        .where('undone_at', 'is', null)
        .executeTakeFirstOrThrow()
    },
    apply: (model, { survivor, merged }, { id }) => {
      const idsOf = (rows: ReadonlyMap<string, { patient: string }>) =>
        [...rows].filter(([, { patient }]) => patient === merged).map(([rowId]) => rowId)
      const rows = { uploads: idsOf(model.uploads), referrals: idsOf(model.referrals) }
      model.moveRows(merged, survivor, rows)
      model.patients.get(merged)!.mergedInto = survivor
      model.merges.set(id, { at: model.now, survivor, merged, ...rows, isUndone: false })
    },
    maySee: false,
  }),
  'undo merge': command({
    values: NUMBER,
    weight: 2,
    choose: (model, _world, number) =>
      pick(
        [...model.merges].filter(([, { isUndone }]) => !isUndone).map(([id]) => id),
        number,
      ),
    act: async (world, id) => {
      await undoMerge(contextOf(world, world.registrar), { id })
    },
    apply: (model, id) => model.undoMerge(id),
    maySee: false,
  }),
  /** A user of an institution sends a file of a patient, who may be of others. */
  send: command({
    values: fc.record({ guest: NUMBER, institution: NUMBER, patient: NUMBER }),
    weight: 3,
    choose: (model, { guests, institutions }, { guest: place, institution: name, patient: number }) => {
      const guest = place % guests.length
      // A third of the time in the name of any institution, and of a patient whom it has not referred, or no longer.
      const institution = pick(name % 3 === 0 ? institutions : guests[guest]!.institutionIds, name)!
      const isReferred = (id: string) => model.referringInstitutions(id).includes(institution)
      const own = model.livePatients().filter(isReferred)
      const known = model.seenPatients(guests[guest]!.institutionIds).filter((id) => !isReferred(id))
      const wanted = number % 3 === 0 ? (number % 2 === 0 ? known : []) : own
      const patient = pick(wanted.length === 0 ? model.livePatients() : wanted, number)!
      return { guest, institution, patient }
    },
    act: async (world, { guest, institution, patient }) => {
      const { actor, client } = world.guests[guest]!
      const details = { title: 'Rezultat adus', patientId: patient, institutionId: institution }
      const { id } = await createSentUpload(contextOf(world, actor), details)
      return { id, file: await sendFile(world, client, id) }
    },
    apply: (model, { guest, institution, patient }, { id, file }) => {
      model.requireSending(patient, institution)
      const sender = { guest, institution }
      model.uploads.set(id, { ...NEW_UPLOAD, patient, institution, state: 'receiving', sender })
      model.files.set(file.id, { upload: id, sha256: file.sha256 })
    },
    maySee: false,
  }),
  /** Another patient for what is being sent; the user may be another one. */
  'change sent': command({
    values: fc.record({ upload: NUMBER, patient: NUMBER, guest: fc.option(NUMBER, { freq: 1 }) }),
    weight: 2,
    choose: (model, _world, { upload, patient, guest }) => {
      const id = pickUpload(
        model,
        model.sentIn(...(upload % 3 === 0 ? (['in_review', 'rejected'] as const) : (['receiving'] as const))),
        upload,
      )
      return id === null
        ? null
        : { id, patient: pick(model.livePatients(), patient)!, guest: guestOf(model, id, guest) }
    },
    act: async (world, { id, patient, guest }) => {
      const version = await versionOf(world, 'upload', id)
      const upload = { title: await titleOf(world, id), patientId: patient }
      await editSentUpload(contextOf(world, world.guests[guest]!.actor), { id, version, upload })
    },
    apply: (model, { id, patient, guest }) => {
      const upload = requireSender(model, id, guest)
      model.requireSending(patient, upload.sender!.institution)
      upload.patient = patient
    },
    maySee: false,
  }),
  'submit sent': command({
    values: fc.record({ upload: NUMBER, guest: fc.option(NUMBER, { freq: 1 }) }),
    weight: 3,
    choose: (model, _world, { upload, guest }) => {
      const id = pickUpload(model, model.sentIn(upload % 5 === 0 ? 'rejected' : 'receiving'), upload)
      return id === null ? null : { id, guest: guestOf(model, id, guest) }
    },
    act: async (world, { id, guest }) => {
      await submitSentUpload(contextOf(world, world.guests[guest]!.actor), { id })
      await world.server.runJobs()
    },
    apply: (model, { id, guest }) => {
      const upload = requireSender(model, id, guest)
      model.requireSending(upload.patient, upload.sender!.institution)
      upload.state = 'in_review'
    },
    maySee: false,
  }),
  /** The sender withdraws it, until it is released or staff have given it to another institution. */
  'withdraw sent': command({
    values: fc.record({ upload: NUMBER, guest: fc.option(NUMBER, { freq: 1 }) }),
    choose: (model, _world, { upload, guest }) => {
      const states = ['receiving', 'in_review', 'accepted', 'rejected', 'released'] as const
      const id = pickUpload(model, model.sentIn(...states), upload)
      return id === null ? null : { id, guest: guestOf(model, id, guest) }
    },
    act: async (world, { id, guest }) => {
      await withdrawUpload(withSending(contextOf(world, world.guests[guest]!.actor)), id)
    },
    apply: (model, { id, guest }) => {
      const upload = requireSender(model, id, guest)
      const isSenders = upload.releasedAt === null && upload.institution === upload.sender!.institution
      if (!isSenders && upload.state !== 'receiving')
        throw new Error('withdrawn by a sender who had no right')
      model.retire(id, 'withdrawn')
    },
    maySee: false,
  }),
  'mark distinct': command({
    values: two,
    choose: (model, _world, { one, other }) => ({
      patientId: pick(model.livePatients(), one)!,
      otherId: pick([...model.patients.keys()], other)!,
    }),
    act: async (world, pair) => {
      await markDistinct(contextOf(world, world.registrar), pair)
    },
    apply: () => undefined,
    maySee: false,
  }),
  refer: command({
    values: fc.record({ patient: NUMBER, institution: NUMBER, number: NUMBER }),
    choose: (model, { institutions }, { patient, institution, number }) => ({
      patient: pick(model.livePatients(), patient)!,
      institution: pick(institutions, institution)!,
      number: String(number),
    }),
    act: async (world, { patient, institution, number }) => {
      const referral = { patientId: patient, institutionId: institution, number }
      await createReferral(contextOf(world, world.registrar), referral)
      return world.server.db
        .selectFrom('referral')
        .select('id')
        .where('patient_id', '=', patient)
        .where('institution_id', '=', institution)
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
    },
    apply: (model, { patient, institution }, { id }) => {
      model.referrals.set(id, { patient, institution, mistaken: false, endedAt: null })
    },
    maySee: true,
  }),
  'end referral': command({
    values: fc.record({ referral: NUMBER, isMistaken: fc.boolean(), isYesterday: fc.boolean() }),
    weight: 2,
    choose: (model, _world, { referral, ...how }) => {
      const open = [...model.referrals].filter(([, { endedAt }]) => endedAt === null)
      const chosen = pick(open, referral)
      return chosen && { id: chosen[0], institution: chosen[1].institution, ...how }
    },
    act: async (world, { id, institution, isMistaken, isYesterday }) => {
      const endedOn = isYesterday ? YESTERDAY : todayInRomania()
      await changeReferral(world, id, { institutionId: institution, endedOn, isMistaken })
    },
    apply: (model, { id, isMistaken, isYesterday }) => {
      // Yesterday is before everything that is released in a sequence.
      Object.assign(model.referrals.get(id)!, { endedAt: isYesterday ? -1 : model.now, mistaken: isMistaken })
    },
    maySee: false,
  }),
  'reopen referral': command({
    values: NUMBER,
    choose: (model, _world, number) => {
      const ended = [...model.referrals].filter(([, { endedAt }]) => endedAt !== null)
      const chosen = pick(ended, number)
      return chosen && { id: chosen[0], institution: chosen[1].institution }
    },
    act: (world, { id, institution }) =>
      changeReferral(world, id, { institutionId: institution, endedOn: null, isMistaken: false }),
    apply: (model, { id }) => {
      Object.assign(model.referrals.get(id)!, { endedAt: null, mistaken: false })
    },
    maySee: true,
  }),
  'correct institution': command({
    values: two,
    choose: (model, { institutions }, { one, other }) => {
      const open = [...model.referrals].filter(([, { endedAt }]) => endedAt === null)
      const chosen = pick(open, one)
      return chosen && { id: chosen[0], institution: pick(institutions, other)! }
    },
    act: (world, { id, institution }) =>
      changeReferral(world, id, { institutionId: institution, endedOn: null }),
    apply: (model, { id, institution }) => {
      model.referrals.get(id)!.institution = institution
    },
    maySee: true,
  }),
}

const YESTERDAY = new Date(Date.now() - 86_400_000).toLocaleDateString('sv-SE', {
  timeZone: 'Europe/Bucharest',
})

/** Sends a file of its own to an upload, as a browser does. */
async function sendFile({ server }: World, client: TestClient, uploadId: string) {
  const bytes = Buffer.from(`Rezultat ${uploadId}`)
  const tus = tusRequests(client.fetch)
  const { status } = await tus.patch(await tus.begin(uploadId, bytes, 'rezultat.txt'), 0, bytes)
  if (status !== 204) throw new Error(`PATCH responded ${status}`)
  const { id, sha256 } = await server.db
    .selectFrom('file')
    .select(['id', 'sha256'])
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  return { id, sha256: sha256.toString('hex') }
}

async function changeReferral(world: World, id: string, referral: object): Promise<void> {
  // With its number, which keeps referrals of one institution apart.
  const { version, number, doctor } = await world.server.db
    .selectFrom('referral')
    .select(['version', 'number', 'doctor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await updateReferral(contextOf(world, world.registrar), {
    id,
    version,
    referral: { number, doctor, ...referral },
  })
}
