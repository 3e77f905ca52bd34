import { LIMITS } from '../../../shared/limits.ts'
import { BATCH_SOURCES, type BatchFilter } from '../../../shared/uploads/batches.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { versionArg } from '../../graphql/describe.ts'
import { staffOrEmpty } from '../../graphql/hidden-fields.ts'
import {
  ConfidenceType,
  ProposedCategoryType,
  ProposedInstitution,
  ProposedPatient,
} from '../matching/matching.graphql.ts'
import { CHANGE_FILES, FileFact, Transfer, Upload } from '../uploads/uploads.graphql.ts'
import { acceptGroup } from './accept-group.ts'
import { acceptSureGroups } from './accept-sure-groups.ts'
import type { ActedGroups, LeftGroup } from './act-on-groups.ts'
import { type AnnouncedFile, addToBatch } from './add-to-batch.ts'
import { canChangeBatch } from './batches.access.ts'
import type { BatchCounts, BatchRow } from './batches.db.ts'
import { chooseGroupPatient } from './choose-group-patient.ts'
import { closeBatch } from './close-batch.ts'
import { createBatch } from './create-batch.ts'
import { type DraftFact, findDraftFacts } from './draft-facts.ts'
import { countBatch, getBatch } from './get-batch.ts'
import { type Group, listBatches, listGroups, type ShownProposal } from './list-groups.ts'
import { regroupFiles } from './regroup-files.ts'
import { type FoundPerson, revealFoundPerson } from './reveal-found-person.ts'
import { undoFiling } from './undo-filing.ts'
import { watchBatch } from './watch-batch.ts'

const BatchSourceType = builder.enumType('BatchSource', {
  description: 'Who sends the files of a batch: `integration` is a program.',
  values: BATCH_SOURCES,
})

const FILTERS: Record<BatchFilter, { description: string }> = {
  waiting: { description: 'No file of it has arrived or was read yet.' },
  ready: {
    description:
      'Sure and complete (patient, institution, category), no duplicate, unreadable or refused file: `acceptSureGroups` files it.',
  },
  sure: { description: 'Of the match, as the next three.' },
  likely: { description: 'Up to three patients are possible.' },
  none: { description: 'No patient was found.' },
  conflict: { description: 'Its files state facts of different people.' },
  duplicate: { description: 'A file is filed already, or is in the batch twice.' },
  unreadable: { description: 'A file that only a person can compare with the patient.' },
  refused: { description: 'A file that the check will refuse.' },
  filed: { description: 'Was submitted; in any state since.' },
}

const BatchFilterType = builder.enumType('BatchFilter', {
  description: 'By what the groups of a batch are filtered and counted. A group may be in several.',
  values: FILTERS,
})

const BatchCountsType = builder.objectRef<BatchCounts>('BatchCounts').implement({
  authScopes: { staff: true },
  description: 'How many groups of a batch each filter has, and how many files were announced.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting'),
    ready: t.exposeInt('ready'),
    sure: t.exposeInt('sure'),
    likely: t.exposeInt('likely'),
    none: t.exposeInt('none'),
    conflict: t.exposeInt('conflict'),
    duplicate: t.exposeInt('duplicate'),
    unreadable: t.exposeInt('unreadable'),
    refused: t.exposeInt('refused'),
    filed: t.exposeInt('filed'),
    released: t.exposeInt('released', { description: 'Of `filed`: those that are released.' }),
    rejected: t.exposeInt('rejected', { description: 'Of `filed`: those that a reviewer has rejected.' }),
    announced: t.exposeInt('announced', { description: 'Files.' }),
    missing: t.exposeInt('missing', { description: 'Announced files that have not arrived.' }),
  }),
})

const BatchProposal = builder.objectRef<ShownProposal>('BatchProposal').implement({
  authScopes: { staff: true },
  description:
    'What the files of a group propose for it, kept since they were read, or what a person has chosen already.',
  fields: (t) => ({
    confidence: t.expose('confidence', { type: ConfidenceType }),
    patients: t.expose('patients', {
      description: 'One if it is `sure`; the possible ones, or those that a `conflict` names.',
      type: [ProposedPatient],
    }),
    statedNames: t.exposeStringList('statedNames', {
      description: 'Of a `conflict`: the names in the files, up to four; empty otherwise.',
    }),
    institution: t.expose('institution', { type: ProposedInstitution, nullable: true }),
    category: t.expose('category', { type: ProposedCategoryType, nullable: true }),
    title: t.exposeString('title', { nullable: true }),
    examinedOn: t.expose('examinedOn', { type: 'Date', nullable: true }),
    accessionNumber: t.exposeString('accessionNumber', { nullable: true }),
    doctor: t.exposeString('doctor', { nullable: true }),
    isReady: t.exposeBoolean('isReady', { description: 'As the filter `ready`.' }),
    isDuplicate: t.exposeBoolean('isDuplicate', { description: 'As the filter `duplicate`.' }),
    isUnreadable: t.exposeBoolean('isUnreadable', { description: 'As the filter `unreadable`.' }),
    isRefused: t.exposeBoolean('isRefused', { description: 'As the filter `refused`.' }),
    duplicates: t.expose('duplicates', {
      description: 'The uploads that have a file of this group, as far as the reader may see them.',
      type: [Upload],
    }),
  }),
})

const BatchGroup = builder.objectRef<Group>('BatchGroup').implement({
  authScopes: { staff: true },
  description:
    'A group of a batch: files that will be one upload. Its id and version are those of the upload.',
  fields: (t) => ({
    upload: t.expose('upload', {
      description: 'A draft (`receiving`) until it is filed; its title is the name of the file.',
      type: Upload,
    }),
    proposal: t.expose('proposal', {
      description: 'Null until a file was read.',
      type: BatchProposal,
      nullable: true,
    }),
    chosen: t.expose('chosen', {
      description:
        'The patient whom `chooseGroupPatient` has kept, and the group is filed for instead of the proposed one; null without, and of a group with other files since.',
      type: ProposedPatient,
      nullable: true,
    }),
    undoUntil: t.expose('undoUntil', {
      description:
        'Until when its filing can be undone, if nobody gives a verdict; null if it was not filed.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})
const BatchGroupPage = pageType('BatchGroupPage', BatchGroup)

const Batch = builder.objectRef<BatchRow>('Batch').implement({
  authScopes: { staff: true },
  description: 'Files that were sent at once, as groups, each of which becomes an upload.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'For people.' }),
    name: t.exposeString('name', { description: 'Such as the name of the folder.' }),
    source: t.expose('source', { type: BatchSourceType }),
    version: t.exposeInt('version', {
      description: 'Counts the changes of its proposals; for `acceptSureGroups`.',
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    closedAt: t.expose('closed_at', {
      description: 'Null while it is open.',
      type: 'DateTime',
      nullable: true,
    }),
    authorName: t.exposeString('author_name', { description: 'Who sends it: a person or an integration.' }),
    isOwn: t.boolean({
      description:
        'Whether the reader files its groups: who has sent it, and everybody for that of a program. Others only read it.',
      resolve: (batch, _args, { actor }) => canChangeBatch(actor, batch),
    }),
    counts: t.field({
      type: BatchCountsType,
      resolve: (batch, _args, ctx) => countBatch(ctx, batch),
    }),
    groups: t.field({
      description: 'In the order in which their files were announced. The reading is recorded.',
      type: BatchGroupPage,
      args: {
        ...pageArgs(t),
        filter: t.arg({ description: 'All groups if omitted.', type: BatchFilterType }),
      },
      resolve: (batch, args, ctx) => listGroups(ctx, batch, args),
    }),
  }),
})
const BatchPage = pageType('BatchPage', Batch)

const FileToAnnounce = builder.inputType('FileToAnnounce', {
  description: 'A file that will be sent.',
  fields: (t) => ({
    key: t.string({
      description:
        'By what the sender recognises the file in this batch, such as its path, size and time: the same key is the same file. At most 500 characters.',
      required: true,
    }),
    name: t.string({ required: true }),
    size: t.float({ description: 'In bytes.', required: true }),
  }),
})

const BatchFile = builder.objectRef<AnnouncedFile>('BatchFile').implement({
  authScopes: { staff: true },
  description: 'A file of a batch, for its sender.',
  fields: (t) => ({
    key: t.exposeString('key'),
    uploadId: t.exposeID('uploadId', {
      description: 'The upload to send it to, at `/files`; null if it is refused.',
      nullable: true,
    }),
    refusal: t.exposeString('refusal', { description: 'Why it is refused, in Romanian.', nullable: true }),
    isReceived: t.exposeBoolean('isReceived', {
      description: 'Whether it has arrived: it is not sent again.',
    }),
    transfer: t.expose('transfer', {
      description: 'Its unfinished transfer, to resume.',
      type: Transfer,
      nullable: true,
    }),
  }),
})

const GroupDetailsInput = builder.inputType('GroupDetailsInput', {
  description: 'Details of a group. What is left out is as proposed; null is nothing.',
  fields: (t) => ({
    patientId: t.id(),
    institutionId: t.id({
      description:
        'Must have referred the patient. If left out for another patient than proposed: that of this patient.',
    }),
    categorySlug: t.string({ description: 'With `::` between the levels.' }),
    title: t.string(),
    examinedOn: t.string({ description: 'yyyy-MM-dd, not in the future.' }),
    accessionNumber: t.string(),
    referringDoctor: t.string(),
    note: t.string({ description: 'For colleagues; institutions do not see it.' }),
  }),
})

const LeftGroupType = builder.objectRef<LeftGroup>('LeftGroup').implement({
  authScopes: { staff: true },
  description: 'A group that was left as it is.',
  fields: (t) => ({
    uploadId: t.exposeID('uploadId'),
    code: t.exposeString('code', {
      description: 'The code of the error, as `CONFLICT` for a group that has changed.',
    }),
    reason: t.exposeString('reason', { description: 'In Romanian.' }),
  }),
})

const ActedGroupsType = builder.objectRef<ActedGroups>('ActedGroups').implement({
  authScopes: { staff: true },
  description: `What became of groups of a batch, ${LIMITS.batchGroups} at most at a time.`,
  fields: (t) => ({
    done: t.exposeIDList('done', { description: 'The uploads.' }),
    left: t.expose('left', { type: [LeftGroupType] }),
    endCursor: t.exposeID('endCursor', {
      description: 'The argument `after` of the next call; null if these were the last.',
      nullable: true,
    }),
  }),
})

const DraftFactType = builder.objectRef<DraftFact>('DraftFact').implement({
  authScopes: { staff: true },
  description: 'A fact of a file that was not checked yet. It counts for nothing.',
  fields: (t) => ({
    fileId: t.id({ resolve: ({ fact }) => fact.file_id }),
    fact: t.expose('fact', { type: FileFact }),
    agrees: t.exposeBoolean('agrees', {
      description: 'Whether it is of the patient; null if it is not compared, or there is no patient.',
      nullable: true,
    }),
  }),
})

builder.objectField(Upload, 'draftFacts', (t) =>
  t.field({
    ...staffOrEmpty,
    description: 'What was read in its files that were not checked yet, for its author and for reviewers.',
    type: [DraftFactType],
    extensions: { cost: 20 },
    args: {
      patientId: t.arg.id({
        description: 'The patient to compare with; that of the upload if omitted. NOT_FOUND if unknown.',
      }),
    },
    resolve: (upload, { patientId }, ctx) => findDraftFacts(ctx, upload, patientId ?? null),
  }),
)

const FoundPersonType = builder.objectRef<FoundPerson>('FoundPerson').implement({
  authScopes: { staff: true },
  description: 'The one person whom the files of a group name, to be added as a patient.',
  fields: (t) => ({
    cnp: t.exposeString('cnp', { description: 'Whole; null if they have no valid one.', nullable: true }),
    surname: t.exposeString('surname', { nullable: true }),
    givenNames: t.exposeString('givenNames', { nullable: true }),
    birthDate: t.expose('birthDate', { type: 'Date', nullable: true }),
  }),
})

const afterArg = 'The `endCursor` of the call before; the first groups if omitted.'

builder.queryFields((t) => ({
  batch: t.field({
    description:
      'A batch, for its author and for administrators; that of an integration, for all who may send files.',
    type: Batch,
    authScopes: CHANGE_FILES,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => getBatch(ctx, id),
  }),
  batches: t.field({
    description: "The reader's own batches and those of integrations, the newest first.",
    type: BatchPage,
    authScopes: CHANGE_FILES,
    args: { ...pageArgs(t), open: t.arg.boolean({ description: 'Only those that are, or are not, open.' }) },
    resolve: (_root, args, ctx) => listBatches(ctx, args),
  }),
}))

builder.mutationFields((t) => ({
  createBatch: t.field({
    description: 'Begins a batch of files.',
    type: Batch,
    authScopes: CHANGE_FILES,
    args: { name: t.arg.string({ description: 'Such as the name of the folder.', required: true }) },
    resolve: (_root, args, ctx) => createBatch(ctx, args),
  }),
  addToBatch: t.field({
    description: `Announces files of a batch, ${LIMITS.announcedFiles} at most, for its author. Each gets an empty upload, to which it is sent like any other file. Files that were announced before get the same answer again, so that a reloaded page continues. CONFLICT if the batch is closed; a batch has at most ${LIMITS.batchFiles} files.`,
    type: [BatchFile],
    authScopes: CHANGE_FILES,
    args: {
      batchId: t.arg.id({ required: true }),
      files: t.arg({ type: [FileToAnnounce], required: true }),
    },
    resolve: (_root, args, ctx) => addToBatch(ctx, args),
  }),
  acceptGroup: t.field({
    description:
      'Files a group, for its author: with the details that are proposed unless others are given, by the rules of `editUpload` and `submitUpload`. A patient is required.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: {
      uploadId: t.arg.id({ required: true }),
      version: versionArg(t),
      details: t.arg({ type: GroupDetailsInput }),
    },
    resolve: (_root, args, ctx) => acceptGroup(ctx, args),
  }),
  acceptSureGroups: t.field({
    description:
      'Files the groups of a batch with the filter `ready`, some at a time: repeat it with `after` until `endCursor` is null. Leaves those that have changed since the batch had this version.',
    type: ActedGroupsType,
    authScopes: CHANGE_FILES,
    args: {
      batchId: t.arg.id({ required: true }),
      version: t.arg.int({ description: 'The version of the batch that the user sees.', required: true }),
      after: t.arg.id({ description: afterArg }),
    },
    resolve: (_root, args, ctx) => acceptSureGroups(ctx, args),
  }),
  chooseGroupPatient: t.field({
    description:
      'Keeps the patient whom the author has chosen for a group, until it is filed or has other files. Nothing is filed by it; the group is `ready` only for the proposed patient. CONFLICT once it is filed.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: { uploadId: t.arg.id({ required: true }), patientId: t.arg.id({ required: true }) },
    resolve: (_root, args, ctx) => chooseGroupPatient(ctx, args),
  }),
  regroupFiles: t.field({
    description:
      'Moves files of a group to another group of its batch, or to a new one, for the author. Returns the group that has them now; a group without files is withdrawn.',
    type: Upload,
    authScopes: CHANGE_FILES,
    args: {
      uploadId: t.arg.id({ required: true }),
      fileIds: t.arg.idList({ required: true }),
      toUploadId: t.arg.id({ description: 'The other group; a new one if omitted.' }),
    },
    resolve: (_root, args, ctx) => regroupFiles(ctx, args),
  }),
  undoFiling: t.field({
    description: `Takes groups back that were filed in the last ${LIMITS.undoFilingMinutes} minutes and have no verdict, for their author. They are groups of the batch again, without a patient, and their files are read again. Without \`uploadIds\` all of the batch, some at a time: repeat it with \`after\` until \`endCursor\` is null.`,
    type: ActedGroupsType,
    authScopes: CHANGE_FILES,
    args: {
      batchId: t.arg.id({ required: true }),
      uploadIds: t.arg.idList({ description: `At most ${LIMITS.batchGroups}.` }),
      after: t.arg.id({ description: afterArg }),
    },
    resolve: (_root, args, ctx) => undoFiling(ctx, args),
  }),
  revealFoundPerson: t.field({
    description:
      'The person whom the files of a group name, with the whole personal number, for its author; null if they name nobody or several people. A mutation, because each access is recorded.',
    type: FoundPersonType,
    nullable: true,
    authScopes: CHANGE_FILES,
    args: { uploadId: t.arg.id({ required: true }) },
    resolve: (_root, { uploadId }, ctx) => revealFoundPerson(ctx, uploadId),
  }),
  closeBatch: t.field({
    description:
      'Closes a batch, for its author, and withdraws the drafts of files that never arrived. CONFLICT if other groups are left that were not filed, unless `withdrawRest` is their number.',
    type: Batch,
    authScopes: CHANGE_FILES,
    args: {
      id: t.arg.id({ required: true }),
      withdrawRest: t.arg.int({
        description:
          'Withdraws the groups that were not filed too, as many as the user has confirmed: `waiting` + `sure` + `likely` + `none` + `conflict` - `missing`.',
      }),
    },
    resolve: (_root, args, ctx) => closeBatch(ctx, args),
  }),
}))

const BatchChange = builder.objectRef<{ id: string }>('BatchChange').implement({
  authScopes: { staff: true },
  description: 'A batch has changed: groups, files or proposals. Refetch what is shown.',
  fields: (t) => ({ id: t.exposeID('id') }),
})

builder.subscriptionFields((t) => ({
  batchChanged: t.field({
    description: 'Announces changes of a batch, those of half a second together.',
    type: BatchChange,
    authScopes: CHANGE_FILES,
    args: { id: t.arg.id({ required: true }) },
    subscribe: (_root, { id }, ctx) => watchBatch(ctx, id),
    resolve: (change) => change,
  }),
}))
