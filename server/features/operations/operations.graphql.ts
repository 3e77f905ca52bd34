import {
  ITEM_REASONS,
  type ItemOutcome,
  OPERATION_LIMITS,
  type OperationKind,
  type OperationState,
  UNDOABLE_KINDS,
} from '../../../shared/uploads/operations.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listCodes, VERSION, versionArg } from '../../graphql/describe.ts'
import { TurnaroundStepType, UploadSenderType, UploadStateType } from '../uploads/upload-enums.graphql.ts'
import { cancelOperation, isContinuable, startOperation, undoOperation } from './change-operation.ts'
import { countsOf, getOperation, type ItemCount, listItems, listOperations } from './find-operation.ts'
import { allowsKind, isAuthor } from './operations.access.ts'
import type { ItemRow, OperationRow } from './operations.db.ts'
import { planOperation } from './plan-operation.ts'
import type { Parameters } from './read-parameters.ts'

const OperationKindType = builder.enumType('OperationKind', {
  description: 'What an operation does to each of its uploads, as the mutation for a single one does.',
  values: {
    category: { description: 'Another category.' },
    institution: { description: 'Another institution; never of an upload that was released.' },
    title: { description: 'Another title.' },
    release: { description: 'The release of an accepted upload, if the gate clears it.' },
    return: { description: 'The return of an accepted upload to review.' },
    withdraw: { description: 'The withdrawal.' },
    download: {
      description:
        'The files of released uploads, as one ZIP archive at `/files/operations/{id}`; it is not started.',
    },
  } satisfies Record<OperationKind, object>,
})

const OperationStateType = builder.enumType('OperationState', {
  description: 'The states of an operation.',
  values: {
    planning: { description: 'A job finds out what will change.' },
    planned: { description: 'Waits for its author to start it.' },
    running: { description: 'A job changes the uploads.' },
    done: {},
    cancelled: { description: 'What was changed until then stays.' },
    undoing: { description: 'A job restores the former values.' },
    undone: {},
  } satisfies Record<OperationState, object>,
})

const ItemOutcomeType = builder.enumType('OperationItemOutcome', {
  description: 'What became of an upload of an operation.',
  values: {
    waiting: { description: 'It is not planned yet.' },
    will_change: {},
    will_not: { description: 'The plan says that it cannot be changed.' },
    changed: {},
    failed: { description: 'It could not be changed.' },
    undone: {},
    not_undone: { description: 'It was changed, and this could not be undone.' },
  } satisfies Record<ItemOutcome, object>,
})

const REASON = `One of ${listCodes(Object.keys(ITEM_REASONS))}; no enum, since a name may not contain \`-\`. Null if there is nothing to explain.`

const OperationCount = builder.objectRef<ItemCount>('OperationCount').implement({
  authScopes: { staff: true },
  description: 'How many uploads of an operation have an outcome for a reason.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: ItemOutcomeType }),
    reason: t.exposeString('reason', { description: REASON, nullable: true }),
    message: t.exposeString('message', { description: 'The reason in Romanian.', nullable: true }),
    count: t.exposeInt('count'),
  }),
})

const OperationItem = builder.objectRef<ItemRow>('OperationItem').implement({
  authScopes: { staff: true },
  description: 'An upload of an operation. It names no patient.',
  fields: (t) => ({
    uploadId: t.exposeID('upload_id', {
      description: 'Null: there is no such upload, or the author may not read it.',
      nullable: true,
    }),
    number: t.int({
      description: 'Of the upload, or the number that was asked for.',
      nullable: true,
      resolve: ({ number }) => number,
    }),
    outcome: t.expose('outcome', { type: ItemOutcomeType }),
    reason: t.exposeString('reason', { description: REASON, nullable: true }),
    message: t.exposeString('message', { description: 'The reason in Romanian.', nullable: true }),
  }),
})

const OperationItemPage = pageType('OperationItemPage', OperationItem)

const Operation = builder.objectRef<OperationRow>('Operation').implement({
  authScopes: { staff: true },
  description: 'One change for many uploads, for its author and administrators.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'For people.' }),
    kind: t.expose('kind', { type: OperationKindType }),
    target: t.string({
      description: 'The name of the category or institution, or the title, that the uploads get.',
      nullable: true,
      resolve: ({ parameters }) => (parameters as Parameters).target,
    }),
    state: t.expose('state', { type: OperationStateType }),
    total: t.exposeInt('total', { description: 'How many uploads it has.' }),
    counts: t.field({
      description: 'The uploads by outcome and reason, as they were seconds ago.',
      type: [OperationCount],
      resolve: countsOf,
    }),
    authorName: t.exposeString('author_name'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    startedAt: t.expose('started_at', { type: 'DateTime', nullable: true }),
    endedAt: t.expose('ended_at', { type: 'DateTime', nullable: true }),
    version: t.exposeInt('version', VERSION),
    isOwn: t.boolean({
      description: 'Whether the reader may start and undo it.',
      resolve: (operation, _args, { actor }) =>
        isAuthor(actor, operation) && allowsKind(operation.kind, actor),
    }),
    isContinuable: t.boolean({
      description:
        'Whether it was stopped while it changed uploads and `startOperation` goes on with the rest.',
      resolve: isContinuable,
    }),
    isUndoable: t.boolean({
      description: 'Whether its kind can be undone.',
      resolve: ({ kind }) => UNDOABLE_KINDS.has(kind),
    }),
    items: t.field({
      description: 'The uploads, in the order in which they are changed.',
      type: OperationItemPage,
      args: { ...pageArgs(t), outcome: t.arg({ type: ItemOutcomeType }) },
      resolve: (operation, args, ctx) => listItems(ctx, operation, args),
    }),
  }),
})

const OperationPage = pageType('OperationPage', Operation)

const OperationFilter = builder.inputType('OperationFilter', {
  description: 'The arguments of `uploads`. Users who may not read the queue get their own uploads alone.',
  fields: (t) => ({
    states: t.field({ type: [UploadStateType], description: 'Only `in_review` if omitted or empty.' }),
    category: t.string({ description: 'Only uploads with this slug or one below it.' }),
    institutionId: t.id(),
    mine: t.boolean({ description: "Only the reader's own." }),
    since: t.field({ type: 'Date' }),
    until: t.field({ type: 'Date' }),
    unopened: t.boolean(),
    sender: t.field({ type: UploadSenderType }),
    late: t.field({ type: TurnaroundStepType }),
    search: t.string({ description: "Words of the patient's name, or the beginning of a number." }),
  }),
})

const OperationSelection = builder.inputType('OperationSelection', {
  description: 'Which uploads an operation has, in exactly one of these ways.',
  fields: (t) => ({
    ids: t.idList({ description: `At most ${OPERATION_LIMITS.ids}.` }),
    numbers: t.intList({ description: `The numbers of uploads, at most ${OPERATION_LIMITS.numbers}.` }),
    filter: t.field({
      description: `All uploads that match when the operation is planned, at most ${OPERATION_LIMITS.uploads}.`,
      type: OperationFilter,
    }),
  }),
})

const OperationParameters = builder.inputType('OperationParameters', {
  description: 'What the uploads get; only the field of the kind is read.',
  fields: (t) => ({
    categorySlug: t.string(),
    institutionId: t.id(),
    title: t.string(),
    reason: t.string({
      description:
        'For the audit log. Without it, uploads that are accepted or released already are not changed.',
    }),
  }),
})

const OPERATORS = { staff: true } as const

builder.queryFields((t) => ({
  operation: t.field({
    description: 'An operation of the reader; administrators read all.',
    type: Operation,
    authScopes: OPERATORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => getOperation(ctx, id),
  }),
  operations: t.field({
    description: "The reader's operations, the newest first. They are deleted after 30 days.",
    type: OperationPage,
    authScopes: OPERATORS,
    args: {
      ...pageArgs(t),
      all: t.arg.boolean({ description: 'Those of all users; only for administrators.' }),
    },
    resolve: (_root, args, ctx) => listOperations(ctx, args),
  }),
}))

builder.mutationFields((t) => ({
  planOperation: t.field({
    description:
      'Plans one change for many uploads. It changes nothing: a job finds out for each upload whether it will change, then the operation is `planned`.',
    type: Operation,
    authScopes: OPERATORS,
    args: {
      kind: t.arg({ type: OperationKindType, required: true }),
      selection: t.arg({ type: OperationSelection, required: true }),
      parameters: t.arg({ type: OperationParameters }),
    },
    resolve: (_root, args, ctx) => planOperation(ctx, args),
  }),
  startOperation: t.field({
    description:
      'Starts a planned operation, or goes on with one that was stopped (`isContinuable`). Each upload is changed by itself, with the rights that the author has then; one that has changed since the plan is not.',
    type: Operation,
    authScopes: OPERATORS,
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => startOperation(ctx, args),
  }),
  cancelOperation: t.field({
    description: 'Ends an operation before it has changed or undone all; what was changed stays.',
    type: Operation,
    authScopes: OPERATORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => cancelOperation(ctx, id),
  }),
  undoOperation: t.field({
    description:
      'Restores the former values of the uploads that the operation has changed and nobody has since.',
    type: Operation,
    authScopes: OPERATORS,
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => undoOperation(ctx, args),
  }),
}))
