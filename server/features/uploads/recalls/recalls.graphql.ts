import { builder } from '../../../graphql/builder.ts'
import { staffOrEmpty } from '../../../graphql/hidden-fields.ts'
import { Opening, type ShownOpening } from '../released/openings.graphql.ts'
import { Upload } from '../uploads.graphql.ts'
import { acknowledgeRecall } from './acknowledge-recall.ts'
import { findRecallsOf, listRecalls, type OwnRecall } from './list-recalls.ts'
import type { RecallRow } from './recalls.db.ts'

const RecallKind = builder.enumType('RecallKind', {
  description: 'Why a result is not valid any more.',
  values: {
    withdrawn: { description: 'It was withdrawn.' },
    replaced: { description: 'A new version took its place.' },
  },
})

const Recall = builder.objectRef<OwnRecall>('Recall').implement({
  description:
    "A result that the reader's institution had opened and that was withdrawn or replaced, as it was then.",
  fields: (t) => ({
    id: t.exposeID('id'),
    uploadId: t.exposeID('upload_id', {
      description: 'Of the result, which the reader cannot open any more.',
    }),
    uploadNumber: t.exposeInt('upload_number', { description: 'The number of the result; for people.' }),
    kind: t.field({ type: RecallKind, resolve: ({ kind }) => kind as 'withdrawn' | 'replaced' }),
    recalledAt: t.expose('recalled_at', { type: 'DateTime' }),
    replacementId: t.exposeID('replacement', {
      description: 'The upload that is valid now; null if there is none that the reader may open.',
      nullable: true,
    }),
    patientName: t.exposeString('patient_name', {
      description: 'Null if the reader may not read the patient any more.',
      nullable: true,
    }),
    title: t.exposeString('title'),
    examinedOn: t.expose('examined_on', { type: 'Date', nullable: true }),
    releasedAt: t.expose('released_at', { type: 'DateTime' }),
    institutionName: t.exposeString('institution_name'),
    openings: t.field({
      description: "What the institution's users did with the result, so that they find its copies.",
      type: [Opening],
      resolve: ({ openings }) => openings as unknown as ShownOpening[],
    }),
    acknowledgedAt: t.expose('acknowledged_at', {
      description: 'When a user of the institution acknowledged it; null: not yet.',
      type: 'DateTime',
      nullable: true,
    }),
    acknowledgedByName: t.exposeString('acknowledged_by_name', { nullable: true }),
  }),
})

const UploadRecall = builder.objectRef<RecallRow>('UploadRecall').implement({
  authScopes: { staff: true },
  description: 'An institution that had opened an upload before it was withdrawn or replaced.',
  fields: (t) => ({
    id: t.exposeID('id'),
    institutionName: t.exposeString('institution_name'),
    recalledAt: t.expose('recalled_at', { type: 'DateTime' }),
    openings: t.field({
      type: [Opening],
      resolve: ({ openings }) => openings as unknown as ShownOpening[],
    }),
    acknowledgedAt: t.expose('acknowledged_at', {
      description: 'When the institution acknowledged it; null: not yet.',
      type: 'DateTime',
      nullable: true,
    }),
    acknowledgedByName: t.exposeString('acknowledged_by_name', { nullable: true }),
  }),
})

builder.objectField(Upload, 'recalls', (t) =>
  t.field({
    ...staffOrEmpty,
    description:
      'The institutions that had opened it before it was withdrawn or replaced; empty for a reader who may not read who opened it.',
    type: [UploadRecall],
    resolve: (upload, _args, ctx) => findRecallsOf(ctx, upload),
  }),
)

const scopes = { $all: { institution: true, feature: 'patient::files' } } as const

builder.queryField('recalls', (t) =>
  t.field({
    description:
      "The results that users of the reader's institutions had opened and that were withdrawn or replaced: those without an acknowledgement, the newest first, then those acknowledged in the last week. The reading is recorded.",
    type: [Recall],
    authScopes: scopes,
    args: { uploadId: t.arg.id({ description: 'Only those of this upload, also from before.' }) },
    resolve: (_root, { uploadId }, ctx) => listRecalls(ctx, uploadId ?? null),
  }),
)

builder.mutationField('acknowledgeRecall', (t) =>
  t.field({
    description: 'Records that the institution knows that a result is not valid any more.',
    type: Recall,
    authScopes: scopes,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => acknowledgeRecall(ctx, id),
  }),
)
