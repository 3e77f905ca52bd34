import { builder } from '../../graphql/builder.ts'
import { selectFileTexts, selectNextInReview } from '../uploads/uploads.db.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { findMismatches, type Mismatch } from './cross-check.ts'
import { acceptUpload, rejectUpload } from './decide-upload.ts'
import { type ReviewRow, selectReviews } from './reviews.db.ts'

const Review = builder.objectRef<ReviewRow>('Review').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    round: t.exposeInt('round'),
    verdict: t.exposeString('verdict'),
    reasonCode: t.exposeString('reason_code', { nullable: true }),
    comment: t.exposeString('comment', { nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    reviewerName: t.exposeString('reviewer_name'),
  }),
})

const MismatchType = builder.objectRef<Mismatch>('Mismatch').implement({
  description: 'A file that holds the CNP of somebody else than the patient it is filed for.',
  fields: (t) => ({
    fileId: t.exposeID('fileId'),
    fileName: t.exposeString('fileName'),
    cnpMasked: t.exposeString('cnpMasked'),
  }),
})

builder.objectFields(Upload, (t) => ({
  /** For staff: what must be put right, or explained, before the upload can be accepted. */
  mismatches: t.field({
    type: [MismatchType],
    resolve: async ({ id, patient_id, patient_cnp }, _args, ctx) =>
      patient_id === null || ctx.actor.role === 'institution'
        ? []
        : findMismatches(patient_cnp, await selectFileTexts(ctx.db, id)),
  }),
  /** Between colleagues: an institution sees none. */
  reviews: t.field({
    type: [Review],
    resolve: ({ id }, _args, ctx) => (ctx.actor.role === 'institution' ? [] : selectReviews(ctx.db, id)),
  }),
  /** The upload that follows in the queue, at its end the first again; null where nothing else waits, or for who does not review. */
  nextInReview: t.id({
    nullable: true,
    resolve: async (upload, _args, ctx) =>
      ctx.actor.features.has('admin::review-files')
        ? ((await selectNextInReview(ctx.db, upload))?.id ?? null)
        : null,
  }),
}))

builder.mutationFields((t) => ({
  acceptUpload: t.field({
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      mismatchReason: t.arg.string(),
    },
    resolve: (_root, args, ctx) => acceptUpload(ctx, args),
  }),
  rejectUpload: t.field({
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      reason: t.arg.string({ required: true }),
      comment: t.arg.string(),
    },
    resolve: (_root, args, ctx) => rejectUpload(ctx, args),
  }),
}))
