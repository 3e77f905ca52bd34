import { LIMITS } from '../../../shared/limits.ts'
import { COMPARED_FACTS, COMPARISON_RESULTS } from '../../../shared/reviews/holds.ts'
import { REJECTION_REASONS } from '../../../shared/uploads/upload-states.ts'
import { withSending } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listCodes, VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrNull } from '../../graphql/hidden-fields.ts'
import { FileCheckStateType } from '../file-checks/file-checks.graphql.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import type { ShownLine } from '../matching/list-disagreements.ts'
import type { ProposedDetails } from '../matching/propose-upload.ts'
import { Patient } from '../patients/patients.graphql.ts'
import { discardFile } from '../uploads/drafts/discard-file.ts'
import { UnreadableType, UploadStateType } from '../uploads/upload-enums.graphql.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { File, Transfer, Upload } from '../uploads/uploads.graphql.ts'
import { withdrawUpload } from '../uploads/withdraw-upload.ts'
import { createSentUpload } from './create-sent-upload.ts'
import { editSentUpload } from './edit-sent-upload.ts'
import {
  findSentChecks,
  findSentFiles,
  findSentPatient,
  findSentProposal,
  findSentTransfers,
  type SentFileCheck,
} from './find-sent-content.ts'
import { listSentDrafts, readSentDraft } from './find-sent-drafts.ts'
import { listSendingInstitutions } from './list-sending-institutions.ts'
import { listSentUploads } from './list-sent-uploads.ts'
import { listUnderWay } from './list-under-way.ts'
import type { SentUploadRow, UnderWayRow } from './sent-uploads.db.ts'
import { submitSentUpload } from './submit-sent-upload.ts'

const SendingInstitution = builder.objectRef<InstitutionRow>('SendingInstitution').implement({
  description: 'An institution for which the reader may send files.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.string({ resolve: ({ name, short_name }) => short_name ?? name }),
  }),
})

const SentPatient = builder.objectRef<{ id: string; name: string }>('SentPatient').implement({
  description: "A patient of the reader's institutions.",
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { description: 'The surname, then the given names.' }),
  }),
})

const RefusedFile = builder.objectRef<{ name: string; facts: { reason: string } }>('RefusedFile').implement({
  description: 'A file that the check has refused.',
  fields: (t) => ({
    name: t.exposeString('name'),
    facts: t.field({
      description: 'As `File.facts` of a refused file.',
      type: 'JSON',
      resolve: ({ facts }) => facts,
    }),
  }),
})

const SentUpload = builder.objectRef<SentUploadRow>('SentUpload').implement({
  description:
    "An upload that a user of the reader's institutions has sent, as both sides follow it. Of a patient who is not the institution's, staff have chosen one, it has only the number and the state.",
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'Drawn at random; for people.' }),
    institutionId: t.exposeID('sender_institution_id', {
      description: 'The institution in whose name it was sent.',
    }),
    title: t.exposeString('title', { description: 'Null of a patient of others.', nullable: true }),
    state: t.expose('state', { type: UploadStateType }),
    stateSince: t.expose('state_since', { description: 'When it entered its state.', type: 'DateTime' }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    patient: t.field({
      description: 'Null if it has none, or one of others.',
      type: SentPatient,
      nullable: true,
      resolve: ({ patient_id, patient_surname, patient_given_names }) =>
        patient_id && patient_surname !== null
          ? { id: patient_id, name: `${patient_surname} ${patient_given_names}` }
          : null,
    }),
    senderName: t.exposeString('sender_name', {
      description: "Null if the sender is no longer one of the institution's users.",
      nullable: true,
    }),
    isOwn: t.boolean({
      description: 'Whether the reader has sent it.',
      resolve: ({ created_by }, _args, { actor }) => created_by === actor.id,
    }),
    fileCount: t.exposeInt('file_count'),
    isResult: t.exposeBoolean('is_result', {
      description: 'Whether it is released to the institution, which can open it.',
    }),
    rejectionCode: t.string({
      description: `Why it was rejected: one of ${listCodes(REJECTION_REASONS)}.`,
      nullable: true,
      resolve: ({ rejection }) => rejection?.code ?? null,
    }),
    rejectionComment: t.string({
      description: 'What the reviewer has written about the rejection.',
      nullable: true,
      resolve: ({ rejection }) => rejection?.comment ?? null,
    }),
    refusedFiles: t.field({
      description: 'Those because of which it is in quarantine.',
      type: [RefusedFile],
      resolve: ({ refused_files }) => refused_files ?? [],
    }),
  }),
})

const SentUploadPage = pageType('SentUploadPage', SentUpload)

const SentComparisonLine = builder.objectRef<ShownLine>('SentComparisonLine').implement({
  description: 'One fact of the chosen patient, compared with a file. The values in the file are left out.',
  fields: (t) => ({
    what: t.string({
      description: `One of ${listCodes(COMPARED_FACTS)}; no enum, since a name may not contain \`-\`.`,
      resolve: ({ what }) => what,
    }),
    result: t.string({
      description: `One of ${listCodes(COMPARISON_RESULTS)}.`,
      resolve: ({ result }) => result,
    }),
  }),
})

const SentFileCheckType = builder.objectRef<SentFileCheck>('SentFileCheck').implement({
  description:
    "What a file says before its check, compared with patients of the reader's institutions alone. The check decides.",
  fields: (t) => ({
    file: t.expose('file', { type: File }),
    state: t.expose('state', { type: FileCheckStateType }),
    refusalFacts: t.field({
      description: 'What was found in a file that the check will refuse, as `File.facts` has it.',
      type: 'JSON',
      nullable: true,
      resolve: ({ refusal }) => refusal,
    }),
    unreadable: t.expose('unreadable', {
      description: 'Why its content could not be read.',
      type: UnreadableType,
      nullable: true,
    }),
    isPartlyRead: t.exposeBoolean('isPartlyRead', { description: 'Whether some of it was not read.' }),
    comparison: t.expose('comparison', {
      description: 'This file alone, compared with the chosen patient; no lines without one.',
      type: [SentComparisonLine],
    }),
    patients: t.field({
      description: "The institutions' patients whose facts the file has.",
      type: [SentPatient],
      resolve: ({ match }) =>
        match.patients.map(({ person }) => ({
          id: person.id,
          name: `${person.surname} ${person.given_names}`,
        })),
    }),
    people: t.exposeInt('people', { description: 'How many different people its facts name, at least.' }),
    isKnown: t.exposeBoolean('isKnown', {
      description: 'Whether the same file was sent by the institutions before, or is in a result of theirs.',
    }),
  }),
})

const SentProposal = builder.objectRef<ProposedDetails>('SentProposal').implement({
  description: 'What the files propose for the details of an upload.',
  fields: (t) => ({
    categorySlug: t.string({ nullable: true, resolve: ({ category }) => category?.slug ?? null }),
    title: t.exposeString('title', { nullable: true }),
    examinedOn: t.expose('examinedOn', { type: 'Date', nullable: true }),
  }),
})

/** A detail of a draft, which staff may change once it is submitted: from then on it is null here. */
const ofDraft = <T>(read: (upload: UploadRow) => T) => ({
  nullable: true as const,
  resolve: (upload: UploadRow) => (upload.state === 'receiving' ? read(upload) : null),
})

const SentDraft = builder.objectRef<UploadRow>('SentDraft').implement({
  description:
    'An upload that the reader sends. Once it is submitted, its details are null, and `sentUploads` says what becomes of it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'Drawn at random; for people.' }),
    state: t.expose('state', { type: UploadStateType }),
    version: t.exposeInt('version', VERSION),
    institutionId: t.id({
      description: 'The institution in whose name it is sent.',
      resolve: ({ sender_institution_id }) => sender_institution_id!,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    title: t.string(ofDraft(({ title }) => title)),
    categorySlug: t.string(ofDraft(({ category_slug }) => category_slug)),
    examinedOn: t.field({ type: 'Date', ...ofDraft(({ examined_on }) => examined_on) }),
    note: t.string(ofDraft(({ note }) => note)),
    patient: t.field({
      type: SentPatient,
      nullable: true,
      resolve: ({ state, patient_id }, _args, ctx) =>
        findSentPatient(ctx, state === 'receiving' ? patient_id : null),
    }),
    files: t.field({
      type: [File],
      resolve: async (upload, _args, ctx) => [...(await findSentFiles(ctx, upload))],
    }),
    transfers: t.field({
      description: "The reader's own unfinished transfers.",
      type: [Transfer],
      resolve: (upload, _args, ctx) => findSentTransfers(ctx, upload),
    }),
    checks: t.field({
      description: 'What its files that were not checked yet say.',
      type: [SentFileCheckType],
      extensions: { cost: 50 },
      resolve: (upload, _args, ctx) => findSentChecks(ctx, upload),
    }),
    proposal: t.field({
      description: 'What its files propose for its details.',
      type: SentProposal,
      nullable: true,
      extensions: { cost: 20 },
      resolve: (upload, _args, ctx) => findSentProposal(ctx, upload),
    }),
  }),
})

const ExaminationUnderWay = builder.objectRef<UnderWayRow>('ExaminationUnderWay').implement({
  description:
    "An examination that one of the reader's institutions has ordered and that is not released yet.",
  fields: (t) => ({
    filedOn: t.expose('filed_on', { description: 'The day on which its files came in.', type: 'Date' }),
    categoryName: t.exposeString('category_name', { description: 'Null if it has none.', nullable: true }),
  }),
})

builder.objectField(Patient, 'underWay', (t) =>
  t.field({
    description:
      "The examinations that the reader's institutions have ordered and that are not released yet, the longest waiting first, 100 at most; empty for staff.",
    type: [ExaminationUnderWay],
    resolve: ({ id }, _args, ctx) => listUnderWay(ctx, id),
  }),
)

builder.objectField(Upload, 'sentBy', (t) =>
  t.string({
    ...staffOrNull,
    description: 'The name of the institution whose user has sent it; null if staff or a program have.',
    nullable: true,
    resolve: ({ sender_institution_name }) => sender_institution_name ?? null,
  }),
)

const SENDER = { $all: { sender: true, feature: 'patient::files' } } as const

builder.queryFields((t) => ({
  sendingInstitutions: t.field({
    description: 'The institutions for which the reader may send files, by name.',
    type: [SendingInstitution],
    authScopes: { institution: true },
    resolve: (_root, _args, ctx) => listSendingInstitutions(ctx),
  }),
  sentUploads: t.field({
    description: "What users of the reader's institutions have sent and submitted, newest first.",
    type: SentUploadPage,
    authScopes: SENDER,
    args: pageArgs(t),
    resolve: (_root, args, ctx) => listSentUploads(ctx, args),
  }),
  sentDrafts: t.field({
    description: 'The uploads that the reader has begun to send and not submitted, newest first, 50 at most.',
    type: [SentDraft],
    authScopes: SENDER,
    extensions: { rows: LIMITS.sentDrafts },
    resolve: (_root, _args, ctx) => listSentDrafts(ctx),
  }),
  sentDraft: t.field({
    description: 'An upload that the reader sends, or has sent.',
    type: SentDraft,
    authScopes: SENDER,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readSentDraft(ctx, id),
  }),
}))

const SentUploadInput = builder.inputType('SentUploadInput', {
  description: 'The details of an upload that an institution sends, all of which are replaced.',
  fields: (t) => ({
    patientId: t.id({ description: 'A patient of the institution; null: staff find out whose it is.' }),
    categorySlug: t.string({ description: 'With `::` between the levels.' }),
    title: t.string({ required: true }),
    examinedOn: t.string({ description: 'yyyy-MM-dd, not in the future.' }),
    note: t.string({ description: 'For the organisation.' }),
  }),
})

builder.mutationFields((t) => ({
  createSentUpload: t.field({
    description: 'Begins an upload in the name of an institution. Its files are sent to `/files`.',
    type: SentDraft,
    authScopes: SENDER,
    args: {
      institutionId: t.arg.id({ required: true }),
      upload: t.arg({ type: SentUploadInput, required: true }),
    },
    resolve: (_root, { institutionId, upload }, ctx) => createSentUpload(ctx, { ...upload, institutionId }),
  }),
  editSentUpload: t.field({
    description: 'Changes the details of an upload that the user sends, until it is submitted.',
    type: SentDraft,
    authScopes: SENDER,
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      upload: t.arg({ type: SentUploadInput, required: true }),
    },
    resolve: (_root, args, ctx) => editSentUpload(ctx, args),
  }),
  submitSentUpload: t.field({
    description:
      'Submits an upload whose files have all arrived, for the user who sends it. A reviewer always decides about it.',
    type: SentDraft,
    authScopes: SENDER,
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ description: 'CONFLICT if it is no longer the current one.' }),
      files: t.arg.stringList({
        description:
          'The SHA-256 (hex) of the files that the user sees: CONFLICT if other files have arrived.',
      }),
    },
    resolve: (_root, args, ctx) => submitSentUpload(ctx, args),
  }),
  discardSentFile: t.field({
    description: 'Takes a file that has arrived out of an upload that the user sends, until it is submitted.',
    type: SentDraft,
    authScopes: SENDER,
    args: { uploadId: t.arg.id({ required: true }), fileId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => discardFile(withSending(ctx), args),
  }),
  withdrawSentUpload: t.field({
    description: 'Withdraws an upload that the user has sent, until it is released.',
    type: SentDraft,
    authScopes: SENDER,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => withdrawUpload(withSending(ctx), id),
  }),
}))
