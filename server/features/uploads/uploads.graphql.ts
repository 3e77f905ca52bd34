import { LIMITS } from '../../../shared/limits.ts'
import { maskCnp, maskCnps } from '../../../shared/romania/cnp.ts'
import { nameFromSlug } from '../../../shared/uploads/categories.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrEmpty, staffOrNull } from '../../graphql/hidden-fields.ts'
import { selectedFields } from '../../graphql/selection.ts'
import { Patient, REASONS, SearchReason, SexType } from '../patients/patients.graphql.ts'
import { createUpload } from './create-upload.ts'
import { editUpload } from './edit-upload.ts'
import type { RemovedFileRow } from './files/files.db.ts'
import { removeFile, restoreFile } from './files/remove-file.ts'
import { InboxViewType } from './inbox/inbox-enums.graphql.ts'
import type { FactRow } from './inspection/facts.db.ts'
import type { FileDetails } from './inspection/inspection.ts'
import {
  listInbox,
  listOwnUploads,
  listQueue,
  listUploadsOfPatient,
  type UploadList,
} from './list-uploads.ts'
import { countQueue, findReviewPlace, type QueueCount, type ReviewPlace } from './queue/count-queue.ts'
import { readUpload } from './read-upload.ts'
import { submitUpload } from './submit-upload.ts'
import {
  FactKindType,
  FileKindType,
  ScanResultType,
  TurnaroundStepType,
  UnreadableType,
  UploadSenderType,
  UploadSourceType,
  UploadStateType,
} from './upload-enums.graphql.ts'
import {
  canAccept,
  canAddFiles,
  canCorrect,
  canDecide,
  canDecideRelease,
  canEditUpload,
  canMoveReleased,
  canRemoveFiles,
  canReplace,
  canSubmit,
  canWithdraw,
} from './uploads.access.ts'
import type { FileRow, TransferRow, UploadRow } from './uploads.db.ts'
import { loadFacts, loadFiles, loadHasThumbnail, loadRemovedFiles, loadTransfers } from './uploads.loaders.ts'
import { watchUploads } from './watch-uploads.ts'
import { withdrawUpload } from './withdraw-upload.ts'

const UploadCategory = builder.objectRef<UploadRow>('UploadCategory').implement({
  description: 'The category of an upload.',
  fields: (t) => ({
    slug: t.string({
      description: 'With `::` between the levels.',
      resolve: ({ category_slug }) => category_slug ?? '',
    }),
    name: t.string({
      description: 'Made from the slug if the category was removed.',
      resolve: ({ category_name, category_slug }) => category_name ?? nameFromSlug(category_slug ?? ''),
    }),
    icon: t.string({
      description: 'The name of the icon; no enum, since the client of the categories may send any.',
      resolve: ({ category_icon }) => category_icon ?? 'documents',
    }),
    color: t.string({
      description: 'Empty if it has none.',
      resolve: ({ category_color }) => category_color ?? '',
    }),
  }),
})

export const UploadPatient = builder.objectRef<UploadRow>('UploadPatient').implement({
  description: "The patient's fields shown with an upload; `patient` has the rest.",
  fields: (t) => ({
    id: t.id({ resolve: ({ patient_id }) => patient_id ?? '' }),
    number: t.int({
      description: 'Drawn at random; for people.',
      resolve: ({ patient_number }) => patient_number ?? 0,
    }),
    name: t.string({
      description: 'The surname, then the given names.',
      resolve: ({ patient_surname, patient_given_names }) =>
        `${patient_surname ?? ''} ${patient_given_names ?? ''}`,
    }),
    cnpMasked: t.string({
      description: 'The personal number with most digits hidden; null if it is unknown.',
      nullable: true,
      resolve: ({ patient_cnp }) => (patient_cnp ? maskCnp(patient_cnp) : null),
    }),
    birthDate: t.field({
      type: 'Date',
      nullable: true,
      resolve: ({ patient_birth_date }) => patient_birth_date,
    }),
    sex: t.expose('patient_sex', { type: SexType, nullable: true }),
  }),
})

const UploadInstitution = builder.objectRef<UploadRow>('UploadInstitution').implement({
  description: 'The institution that receives an upload.',
  fields: (t) => ({
    id: t.id({ resolve: ({ institution_id }) => institution_id ?? '' }),
    name: t.string({ resolve: ({ institution_name }) => institution_name ?? '' }),
    isSuspended: t.exposeBoolean('institution_suspended'),
  }),
})

export const FileFact = builder.objectRef<FactRow>('FileFact').implement({
  authScopes: { staff: true },
  description: 'Something that a file says of its patient or its examination.',
  fields: (t) => ({
    kind: t.expose('kind', { type: FactKindType }),
    value: t.string({
      description: 'Normalised: a date is yyyy-MM-dd; of a personal number most digits are hidden.',
      resolve: ({ kind, value }) => (kind === 'cnp' ? maskCnp(value) : maskCnps(value)),
    }),
    isDoubtful: t.exposeBoolean('is_doubtful', { description: 'Read with a guess: it proves nothing.' }),
    place: t.field({
      description:
        'Where it was found: `in` (text, tag, code, file-name), and as far as known `entry`, `page`, `box` (left, top, width, height in parts of the page), `line`, `cell` and `tag`.',
      type: 'JSON',
      resolve: ({ place }) => place,
    }),
  }),
})

export const File = builder.objectRef<FileRow>('File').implement({
  description: 'A file of an upload. Its bytes are at `/files/{id}`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    type: t.exposeString('type', { description: 'The media type, recognised by the content.' }),
    kind: t.expose('kind', { type: FileKindType }),
    size: t.exposeFloat('size', { description: 'In bytes; a Float, since it may exceed an Int.' }),
    sha256: t.string({
      description: 'Of the whole file, in hexadecimal.',
      resolve: ({ sha256 }) => sha256.toString('hex'),
    }),
    pageCount: t.exposeInt('page_count', {
      description: 'Null if the file has no pages or was not checked yet.',
      nullable: true,
    }),
    facts: t.field({
      description: 'What the check found, by the kind of the file; `reason` of a refused file.',
      type: 'JSON',
      resolve: ({ facts }) => facts,
    }),
    scanResult: t.expose('scan_result', { type: ScanResultType }),
    unreadable: t.field({
      description: 'Null if the content could be read.',
      type: UnreadableType,
      nullable: true,
      resolve: ({ facts }) => (facts as FileDetails).unreadable ?? null,
    }),
    noText: t.boolean({
      description: 'Whether the file, or a page of it, has no text that could be compared with the patient.',
      resolve: ({ facts }) => (facts as FileDetails).noText ?? false,
    }),
    stated: t.field({
      ...staffOrEmpty,
      description: 'What the file says of its patient and its examination.',
      type: [FileFact],
      resolve: (file, _args, ctx) => loadFacts(ctx, file),
    }),
    hasThumbnail: t.boolean({
      ...staffOrNull,
      description: 'Whether there is a small picture of it, at `/files/{id}/thumbnail`.',
      nullable: true,
      resolve: (file, _args, ctx) => loadHasThumbnail(ctx, file),
    }),
  }),
})

export const Transfer = builder.objectRef<TransferRow>('Transfer').implement({
  description: 'An unfinished transfer, with what its user needs to resume it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    size: t.exposeFloat('size', { description: 'In bytes.' }),
    received: t.exposeFloat('received', { description: 'Bytes stored so far.' }),
    sha256: t.string({
      description: 'As announced, in hexadecimal.',
      resolve: ({ sha256 }) => sha256.toString('hex'),
    }),
  }),
})

type Abilities = {
  addFiles: boolean
  submit: boolean
  withdraw: boolean
  edit: boolean
  decide: boolean
  accept: boolean
  removeFiles: boolean
  release: boolean
  correct: boolean
  replace: boolean
  move: boolean
}

const RemovedFile = builder.objectRef<RemovedFileRow>('RemovedFile').implement({
  authScopes: { staff: true },
  description: 'A file that was removed from its upload and can still be restored.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    removedAt: t.expose('removed_at', { type: 'DateTime', nullable: true }),
    removedByName: t.exposeString('removed_by_name', { description: 'Null if unknown.', nullable: true }),
    reason: t.exposeString('removed_reason', { nullable: true }),
  }),
})

const UploadAbilities = builder.objectRef<Abilities>('UploadAbilities').implement({
  description: 'What the reader may do with an upload in its current state.',
  fields: (t) => ({
    addFiles: t.exposeBoolean('addFiles'),
    submit: t.exposeBoolean('submit'),
    withdraw: t.exposeBoolean('withdraw'),
    edit: t.exposeBoolean('edit'),
    decide: t.exposeBoolean('decide', { description: 'Reject it, and accept it if `accept` is true.' }),
    accept: t.exposeBoolean('accept', {
      description: 'False also for the reader who filed it, unless the site allows it (`self_review`).',
    }),
    removeFiles: t.exposeBoolean('removeFiles'),
    release: t.exposeBoolean('release', {
      description: 'Release it before its time, or return it to review.',
    }),
    correct: t.exposeBoolean('correct', { description: 'Correct its details after the verdict.' }),
    replace: t.exposeBoolean('replace', { description: 'File a new version of it.' }),
    move: t.exposeBoolean('move', {
      description: 'Move it, which is released, to another patient (`moveReleasedUpload`).',
    }),
  }),
})

export const Upload = builder.objectRef<UploadRow>('Upload').implement({
  description:
    'Files of one examination, filed for a patient. It is visible outside the staff once it is `released`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'Drawn at random; for people.' }),
    title: t.exposeString('title'),
    state: t.expose('state', { type: UploadStateType }),
    stateSince: t.expose('state_since', { description: 'When it entered its state.', type: 'DateTime' }),
    examinedOn: t.expose('examined_on', {
      description: 'The day of the examination.',
      type: 'Date',
      nullable: true,
    }),
    accessionNumber: t.exposeString('accession_number', {
      description: 'The number of the examination at the organisation.',
      nullable: true,
    }),
    referringDoctor: t.exposeString('referring_doctor', { nullable: true }),
    note: t.string({
      ...staffOrNull,
      description: 'For colleagues.',
      nullable: true,
      resolve: ({ note }) => note,
    }),
    source: t.expose('source', { type: UploadSourceType }),
    releasedAt: t.expose('released_at', {
      description: 'Null if it was not released.',
      type: 'DateTime',
      nullable: true,
    }),
    releaseAt: t.expose('release_at', {
      description:
        'When an accepted upload is released automatically; null if a reviewer releases it or it is not accepted.',
      type: 'DateTime',
      nullable: true,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    authorName: t.exposeString('author_name', {
      description:
        'Who filed it, or the integration that has sent it until a person files it; null for institutions.',
      nullable: true,
    }),
    isOwn: t.boolean({
      description: 'Whether the reader filed it.',
      resolve: ({ created_by }, _args, { actor }) => created_by === actor.id,
    }),
    version: t.exposeInt('version', VERSION),
    fileCount: t.int({ description: 'Without removed files.', resolve: ({ file_count }) => file_count ?? 0 }),
    openedAt: t.expose('opened_at', {
      description: 'When the reader opened it; null: unread.',
      type: 'DateTime',
      nullable: true,
    }),
    firstOpenedAt: t.expose('first_opened_at', {
      ...staffOrNull,
      description:
        'When a user of its institution first opened it; null: nobody has, since it was last moved.',
      type: 'DateTime',
      nullable: true,
    }),
    category: t.field({
      description: 'Null if it has none.',
      type: UploadCategory,
      nullable: true,
      resolve: (upload) => (upload.category_slug ? upload : null),
    }),
    patient: t.field({
      description: 'Null while none is chosen.',
      type: UploadPatient,
      nullable: true,
      resolve: (upload) => (upload.patient_id ? upload : null),
    }),
    institution: t.field({
      description: 'Null if no institution receives it.',
      type: UploadInstitution,
      nullable: true,
      resolve: (upload) => (upload.institution_id ? upload : null),
    }),
    files: t.field({ type: [File], resolve: (upload, _args, ctx) => loadFiles(ctx, upload) }),
    removedFiles: t.field({
      description:
        'Those that can still be restored. Empty unless the reader gives verdicts or may restore them.',
      type: [RemovedFile],
      resolve: (upload, _args, ctx) => loadRemovedFiles(ctx, upload),
    }),
    transfers: t.field({
      description: "The reader's own unfinished transfers.",
      type: [Transfer],
      resolve: (upload, _args, ctx) => loadTransfers(ctx, upload),
    }),
    can: t.field({
      type: UploadAbilities,
      resolve: (upload, _args, { actor }) => ({
        addFiles: canAddFiles(actor, upload),
        submit: canSubmit(actor, upload),
        withdraw: canWithdraw(actor, upload),
        edit: canEditUpload(actor, upload),
        decide: canDecide(actor, upload),
        accept: canAccept(actor, upload),
        removeFiles: canRemoveFiles(actor, upload),
        release: canDecideRelease(actor, upload),
        correct: canCorrect(actor, upload),
        replace: canReplace(actor, upload),
        move: canMoveReleased(actor, upload),
      }),
    }),
  }),
})

/** The fields that need no more than the line of a list. */
const LINE_FIELDS = [
  'id',
  'number',
  'title',
  'state',
  'stateSince',
  'examinedOn',
  'accessionNumber',
  'referringDoctor',
  'releasedAt',
  'releaseAt',
  'isUpdate',
  'authorName',
  'isOwn',
  'fileCount',
  'category',
  'patient',
  'institution',
  'can',
]
const QUEUE_LINE: ReadonlySet<string> = new Set([
  ...LINE_FIELDS,
  'sentBy',
  'isDisagreeing',
  'policy',
  'firstAcceptance',
])
const INBOX_LINE: ReadonlySet<string> = new Set([...LINE_FIELDS, 'openedAt', 'inbox'])

export const UploadPage = pageType<UploadRow, UploadList>('UploadPage', Upload)

builder.objectField(UploadPage, 'reasons', (t) =>
  t.field({ description: REASONS, type: [SearchReason], resolve: ({ reasons }) => reasons }),
)

const UPLOAD_SEARCH =
  "Words of the patient's name, also with a birth date or year, of the title, the doctor or the category; the CNP or its end, a birth date, the accession number, or the beginning of a number."
const UP_TO = `Counted up to ${LIMITS.shownCount}.`

const QueueCountType = builder.objectRef<QueueCount>('QueueCount').implement({
  authScopes: { feature: 'admin::review-files' },
  description: 'How many uploads are in one state.',
  fields: (t) => ({
    state: t.expose('state', { type: UploadStateType }),
    count: t.exposeInt('count', { description: UP_TO }),
  }),
})

const ReviewPlaceType = builder.objectRef<ReviewPlace>('ReviewPlace').implement({
  authScopes: { feature: 'admin::review-files' },
  description: 'The place of an upload among those in review, the longest waiting first.',
  fields: (t) => ({
    place: t.exposeInt('place', { description: `1 for the longest waiting. ${UP_TO}` }),
    count: t.exposeInt('count', { description: `How many are in review. ${UP_TO}` }),
  }),
})

const UploadInput = builder.inputType('UploadInput', {
  description: 'The details of an upload, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    patientId: t.id(),
    institutionId: t.id({ description: 'Must have referred the patient.' }),
    categorySlug: t.string({ description: 'With `::` between the levels.' }),
    title: t.string({ required: true }),
    examinedOn: t.string({
      description: 'yyyy-MM-dd, not in the future. A text, so that an error names the field.',
    }),
    accessionNumber: t.string({ description: 'The number of the examination at the organisation.' }),
    referringDoctor: t.string(),
    note: t.string({ description: 'For colleagues; institutions do not see it.' }),
  }),
})

builder.queryFields((t) => ({
  uploads: t.field({
    description:
      'The queue: the longest waiting first or, if a final state is among `states`, the newest first.',
    type: UploadPage,
    authScopes: { feature: 'admin::review-files' },
    args: {
      ...pageArgs(t),
      states: t.arg({ description: 'Only `in_review` if omitted or empty.', type: [UploadStateType] }),
      category: t.arg.string({ description: 'Only uploads with this slug or one below it.' }),
      institutionId: t.arg.id({ description: 'Only uploads for this institution.' }),
      mine: t.arg.boolean({ description: "Only the reader's own." }),
      since: t.arg({
        description: 'Only uploads that entered their state on this day in Romania or later.',
        type: 'Date',
      }),
      until: t.arg({
        description: 'Only uploads that entered their state on this day in Romania or earlier.',
        type: 'Date',
      }),
      unopened: t.arg.boolean({ description: 'Only uploads that no user of their institution has opened.' }),
      late: t.arg({
        description:
          'Only released uploads whose step took longer than its target; of the last 90 days if `since` is omitted.',
        type: TurnaroundStepType,
      }),
      sender: t.arg({ description: 'Only uploads whose files these have sent.', type: UploadSenderType }),
      search: t.arg.string({ description: UPLOAD_SEARCH }),
    },
    resolve: (_root, args, ctx, info) =>
      listQueue(ctx, args, selectedFields(info, 'nodes').isSubsetOf(QUEUE_LINE) ? 'line' : 'whole'),
  }),
  queueCounts: t.field({
    description: 'How many uploads wait in each state that waits for somebody.',
    type: [QueueCountType],
    authScopes: { feature: 'admin::review-files' },
    resolve: (_root, _args, ctx) => countQueue(ctx),
  }),
  reviewPlace: t.field({
    description: 'The place of an upload among those in review; null if it is not in review.',
    type: ReviewPlaceType,
    nullable: true,
    authScopes: { feature: 'admin::review-files' },
    args: { uploadId: t.arg.id({ required: true }) },
    resolve: (_root, { uploadId }, ctx) => findReviewPlace(ctx, uploadId),
  }),
  upload: t.field({
    description:
      'An upload that the reader may see. The reading is recorded, and marks a released upload as opened by the user of an institution.',
    type: Upload,
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readUpload(ctx, id),
  }),
  myUploads: t.field({
    description:
      "The reader's own uploads in these states, newest first, with rejected ones that an integration has sent and no person has filed.",
    type: UploadPage,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: { ...pageArgs(t), states: t.arg({ type: [UploadStateType], required: true }) },
    resolve: (_root, args, ctx) => listOwnUploads(ctx, args),
  }),
  inbox: t.field({
    description: "The results released to the reader's institutions, newest first.",
    type: UploadPage,
    authScopes: { $all: { institution: true, feature: 'patient::files' } },
    args: {
      ...pageArgs(t),
      view: t.arg({ description: '`all` if omitted.', type: InboxViewType }),
      since: t.arg({ description: 'Only results released on this day in Romania or later.', type: 'Date' }),
      until: t.arg({ description: 'Only results released on this day in Romania or before.', type: 'Date' }),
      category: t.arg.string({ description: 'Only results with this slug or one below it.' }),
      doctor: t.arg.string({ description: 'Only results of this referring doctor, by the exact name.' }),
      institutionId: t.arg.id({ description: 'Only results of this institution.' }),
      departmentId: t.arg.id({
        description:
          'Only results of this department and, of its institution, those whose doctor is in no department.',
      }),
      ownDepartments: t.arg.boolean({
        description: "Without `departmentId`: as with the reader's own department at each institution.",
      }),
      search: t.arg.string({ description: UPLOAD_SEARCH }),
    },
    resolve: (_root, args, ctx, info) =>
      listInbox(ctx, args, selectedFields(info, 'nodes').isSubsetOf(INBOX_LINE) ? 'line' : 'whole'),
  }),
}))

builder.objectField(Patient, 'uploads', (t) =>
  t.field({
    description: "The patient's uploads that the reader may see, newest first.",
    type: UploadPage,
    authScopes: { feature: 'patient::files' },
    args: pageArgs(t),
    resolve: ({ id }, args, ctx) => listUploadsOfPatient(ctx, id, args),
  }),
)

/** Like every change of files, the removal of one also requires the files of patients. */
export const CHANGE_FILES = { $all: { staff: true, feature: 'patient::files' } } as const

builder.mutationFields((t) => ({
  createUpload: t.field({
    description:
      'Begins an upload in the state `receiving`. Its files are sent to `/files`, then `submitUpload` submits it.',
    type: Upload,
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    args: { upload: t.arg({ type: UploadInput, required: true }) },
    resolve: (_root, { upload }, ctx) => createUpload(ctx, upload),
  }),
  editUpload: t.field({
    description:
      "Changes an upload's details, its patient included, before the verdict; for its author and for reviewers.",
    type: Upload,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      upload: t.arg({ type: UploadInput, required: true }),
    },
    resolve: (_root, args, ctx) => editUpload(ctx, args),
  }),
  submitUpload: t.field({
    description:
      'Submits an upload whose files have all arrived, for its author; a rejected one again, with its files as they are now.',
    type: Upload,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({
        description:
          'The version that the user sees: CONFLICT if it is no longer the current one, as after a move to another patient.',
      }),
      files: t.arg.stringList({
        description:
          'The SHA-256 (hex) of the files that the user sees: CONFLICT if other files have arrived.',
      }),
    },
    resolve: (_root, args, ctx) => submitUpload(ctx, args),
  }),
  removeFile: t.field({
    description:
      'Removes a file from its upload and from every list; it can be restored for 30 days. For users with the feature, and for the author of a rejected upload.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: {
      id: t.arg.id({ description: 'The file.', required: true }),
      reason: t.arg.string({ description: 'For the audit log and for colleagues.', required: true }),
    },
    resolve: (_root, args, ctx) => removeFile(ctx, args),
  }),
  restoreFile: t.field({
    description: 'Restores a removed file. An upload accepted without the file goes back to review.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: { id: t.arg.id({ description: 'The file.', required: true }) },
    resolve: (_root, { id }, ctx) => restoreFile(ctx, id),
  }),
  withdrawUpload: t.field({
    description: 'Withdraws an upload, for its author or a reviewer; its institution no longer sees it.',
    type: Upload,
    authScopes: { staff: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => withdrawUpload(ctx, id),
  }),
}))

const UploadChange = builder
  .objectRef<{ id: string | null; patientId: string | null }>('UploadChange')
  .implement({
    description:
      'An upload that the reader may see has changed; id null: changes may have been missed, refetch all.',
    fields: (t) => ({
      id: t.exposeID('id', {
        description: 'Null: changes may have been missed, reload everything.',
        nullable: true,
      }),
      patientId: t.exposeID('patientId', { description: 'Null if it has no patient.', nullable: true }),
    }),
  })

builder.subscriptionFields((t) => ({
  uploadChanged: t.field({
    description: 'Announces each change of an upload that the reader may see.',
    type: UploadChange,
    authScopes: { signedIn: true },
    args: { patientId: t.arg.id({ description: 'Only uploads of this patient.' }) },
    subscribe: (_root, { patientId }, ctx) => watchUploads(ctx, patientId ?? null),
    resolve: (change) => change,
  }),
}))
