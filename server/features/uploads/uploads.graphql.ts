import { maskCnp } from '../../../shared/romania/cnp.ts'
import { nameFromSlug } from '../../../shared/uploads/categories.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { Patient, SexType } from '../patients/patients.graphql.ts'
import { createUpload } from './create-upload.ts'
import { editUpload } from './edit-upload.ts'
import type { RemovedFileRow } from './files/files.db.ts'
import { removeFile, restoreFile } from './files/remove-file.ts'
import { listInbox, listQueue, listUploadsOfPatient } from './list-uploads.ts'
import { readUpload } from './read-upload.ts'
import { submitUpload } from './submit-upload.ts'
import { FileKindType, ScanResultType, UploadSourceType, UploadStateType } from './upload-enums.graphql.ts'
import {
  canAddFiles,
  canDecide,
  canEditUpload,
  canReadInternalNotes,
  canRelease,
  canRemoveFiles,
  canSubmit,
  canWithdraw,
} from './uploads.access.ts'
import type { FileRow, TransferRow, UploadRow } from './uploads.db.ts'
import { loadFiles, loadRemovedFiles, loadTransfers } from './uploads.loaders.ts'
import { watchUploads } from './watch-uploads.ts'
import { withdrawUpload } from './withdraw-upload.ts'

const UploadCategory = builder.objectRef<UploadRow>('UploadCategory').implement({
  fields: (t) => ({
    slug: t.string({ resolve: ({ category_slug }) => category_slug ?? '' }),
    name: t.string({
      resolve: ({ category_name, category_slug }) => category_name ?? nameFromSlug(category_slug ?? ''),
    }),
    icon: t.string({ resolve: ({ category_icon }) => category_icon ?? 'documents' }),
    color: t.string({ resolve: ({ category_color }) => category_color ?? '' }),
  }),
})

/** The patient's fields shown with an upload; the patient's page has the rest. */
const UploadPatient = builder.objectRef<UploadRow>('UploadPatient').implement({
  fields: (t) => ({
    id: t.id({ resolve: ({ patient_id }) => patient_id ?? '' }),
    number: t.int({ resolve: ({ patient_number }) => patient_number ?? 0 }),
    name: t.string({
      resolve: ({ patient_surname, patient_given_names }) =>
        `${patient_surname ?? ''} ${patient_given_names ?? ''}`,
    }),
    cnpMasked: t.string({
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
  fields: (t) => ({
    id: t.id({ resolve: ({ institution_id }) => institution_id ?? '' }),
    name: t.string({ resolve: ({ institution_name }) => institution_name ?? '' }),
    isSuspended: t.exposeBoolean('institution_suspended'),
  }),
})

const File = builder.objectRef<FileRow>('File').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    type: t.exposeString('type'),
    kind: t.expose('kind', { type: FileKindType }),
    /** Bytes; may exceed a GraphQL Int. */
    size: t.exposeFloat('size'),
    sha256: t.string({ resolve: ({ sha256 }) => sha256.toString('hex') }),
    pageCount: t.exposeInt('page_count', { nullable: true }),
    facts: t.field({ type: 'JSON', resolve: ({ facts }) => facts }),
    scanResult: t.expose('scan_result', { type: ScanResultType }),
  }),
})

/** An unfinished transfer with what its user needs to resume it. */
const Transfer = builder.objectRef<TransferRow>('Transfer').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    size: t.exposeFloat('size'),
    received: t.exposeFloat('received'),
    sha256: t.string({ resolve: ({ sha256 }) => sha256.toString('hex') }),
  }),
})

type Abilities = {
  addFiles: boolean
  submit: boolean
  withdraw: boolean
  edit: boolean
  decide: boolean
  removeFiles: boolean
  release: boolean
}

const RemovedFile = builder.objectRef<RemovedFileRow>('RemovedFile').implement({
  description: 'A file that was removed from its upload and can still be restored.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    removedAt: t.expose('removed_at', { type: 'DateTime', nullable: true }),
    removedByName: t.exposeString('removed_by_name', { nullable: true }),
    reason: t.exposeString('removed_reason', { nullable: true }),
  }),
})

const UploadAbilities = builder.objectRef<Abilities>('UploadAbilities').implement({
  fields: (t) => ({
    addFiles: t.exposeBoolean('addFiles'),
    submit: t.exposeBoolean('submit'),
    withdraw: t.exposeBoolean('withdraw'),
    edit: t.exposeBoolean('edit'),
    decide: t.exposeBoolean('decide'),
    removeFiles: t.exposeBoolean('removeFiles'),
    release: t.exposeBoolean('release'),
  }),
})

export const Upload = builder.objectRef<UploadRow>('Upload').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number'),
    title: t.exposeString('title'),
    state: t.expose('state', { type: UploadStateType }),
    stateSince: t.expose('state_since', { type: 'DateTime' }),
    examinedOn: t.expose('examined_on', { type: 'Date', nullable: true }),
    accessionNumber: t.exposeString('accession_number', { nullable: true }),
    referringDoctor: t.exposeString('referring_doctor', { nullable: true }),
    /** For colleagues; null for an institution. */
    note: t.string({
      nullable: true,
      resolve: ({ note }, _args, { actor }) => (canReadInternalNotes(actor) ? note : null),
    }),
    source: t.expose('source', { type: UploadSourceType }),
    releasedAt: t.expose('released_at', { type: 'DateTime', nullable: true }),
    /**
     * When an accepted upload is released automatically; null if a reviewer releases it or it is not
     * accepted.
     */
    releaseAt: t.expose('release_at', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    authorName: t.exposeString('author_name'),
    version: t.exposeInt('version'),
    fileCount: t.int({ resolve: ({ file_count }) => file_count ?? 0 }),
    /** When the reader opened the upload; null: unread. */
    openedAt: t.expose('opened_at', { type: 'DateTime', nullable: true }),
    category: t.field({
      type: UploadCategory,
      nullable: true,
      resolve: (upload) => (upload.category_slug ? upload : null),
    }),
    patient: t.field({
      type: UploadPatient,
      nullable: true,
      resolve: (upload) => (upload.patient_id ? upload : null),
    }),
    institution: t.field({
      type: UploadInstitution,
      nullable: true,
      resolve: (upload) => (upload.institution_id ? upload : null),
    }),
    files: t.field({ type: [File], resolve: (upload, _args, ctx) => loadFiles(ctx, upload) }),
    /** Empty unless the actor may restore them. */
    removedFiles: t.field({
      type: [RemovedFile],
      resolve: (upload, _args, ctx) => loadRemovedFiles(ctx, upload),
    }),
    transfers: t.field({
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
        removeFiles: canRemoveFiles(actor, upload),
        release: canRelease(actor, upload),
      }),
    }),
  }),
})

const UploadPage = pageType('UploadPage', Upload)

const UploadInput = builder.inputType('UploadInput', {
  fields: (t) => ({
    patientId: t.id(),
    institutionId: t.id(),
    categorySlug: t.string(),
    title: t.string({ required: true }),
    examinedOn: t.string(),
    accessionNumber: t.string(),
    referringDoctor: t.string(),
    note: t.string(),
  }),
})

builder.queryFields((t) => ({
  uploads: t.field({
    type: UploadPage,
    authScopes: { feature: 'admin::review-files' },
    args: {
      ...pageArgs(t),
      states: t.arg({ type: [UploadStateType] }),
      category: t.arg.string(),
      institutionId: t.arg.id(),
      mine: t.arg.boolean(),
      since: t.arg({ type: 'Date' }),
      unopened: t.arg.boolean(),
      search: t.arg.string(),
    },
    resolve: (_root, args, ctx) => listQueue(ctx, args),
  }),
  upload: t.field({
    type: Upload,
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readUpload(ctx, id),
  }),
  /** The reader's own uploads, for all staff: unfinished and rejected ones. */
  myUploads: t.field({
    type: UploadPage,
    authScopes: { staff: true },
    args: { ...pageArgs(t), states: t.arg({ type: [UploadStateType], required: true }) },
    resolve: (_root, args, ctx) => listQueue(ctx, { ...args, mine: true }),
  }),
  inbox: t.field({
    type: UploadPage,
    authScopes: { institution: true },
    args: { ...pageArgs(t), unread: t.arg.boolean(), search: t.arg.string() },
    resolve: (_root, args, ctx) => listInbox(ctx, args),
  }),
}))

builder.objectField(Patient, 'uploads', (t) =>
  t.field({
    type: UploadPage,
    authScopes: { feature: 'patient::files' },
    args: pageArgs(t),
    resolve: ({ id }, args, ctx) => listUploadsOfPatient(ctx, id, args),
  }),
)

builder.mutationFields((t) => ({
  createUpload: t.field({
    type: Upload,
    authScopes: { staff: true },
    args: { upload: t.arg({ type: UploadInput, required: true }) },
    resolve: (_root, { upload }, ctx) => createUpload(ctx, upload),
  }),
  editUpload: t.field({
    type: Upload,
    authScopes: { staff: true },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      upload: t.arg({ type: UploadInput, required: true }),
    },
    resolve: (_root, args, ctx) => editUpload(ctx, args),
  }),
  submitUpload: t.field({
    type: Upload,
    authScopes: { staff: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => submitUpload(ctx, id),
  }),
  removeFile: t.field({
    type: Upload,
    authScopes: { feature: 'admin::remove-files' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => removeFile(ctx, args),
  }),
  restoreFile: t.field({
    type: Upload,
    authScopes: { feature: 'admin::remove-files' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => restoreFile(ctx, id),
  }),
  withdrawUpload: t.field({
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
      id: t.exposeID('id', { nullable: true }),
      patientId: t.exposeID('patientId', { nullable: true }),
    }),
  })

builder.subscriptionFields((t) => ({
  uploadChanged: t.field({
    type: UploadChange,
    authScopes: { signedIn: true },
    args: { patientId: t.arg.id() },
    subscribe: (_root, { patientId }, ctx) => watchUploads(ctx, patientId ?? null),
    resolve: (change) => change,
  }),
}))
