import type { Release } from '../../../shared/uploads/categories.ts'
import { VERDICTS } from '../../../shared/uploads/upload-states.ts'
import { builder } from '../../graphql/builder.ts'
import { findNextInReview } from '../uploads/list-uploads.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import type { Mismatch } from './cross-check.ts'
import { acceptUpload, rejectUpload } from './decide-upload.ts'
import type { Policy } from './policy.ts'
import { releaseUpload, returnUpload } from './release-upload.ts'
import type { ReviewRow } from './reviews.db.ts'
import { loadMismatches, loadReviews, readPolicy } from './reviews.loaders.ts'

const VerdictType = builder.enumType('Verdict', {
  description: "A reviewer's decision about an upload.",
  values: VERDICTS,
})

const ReleaseType = builder.enumType('ReleaseMode', {
  description: 'When an accepted upload is released to its institution.',
  values: {
    at_once: { description: 'With the acceptance.' },
    after_hours: { description: 'A number of hours after the acceptance.' },
    by_hand: { description: 'When a reviewer releases it.' },
  } satisfies Record<Release, object>,
})

const Review = builder.objectRef<ReviewRow>('Review').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    round: t.exposeInt('round'),
    verdict: t.expose('verdict', { type: VerdictType }),
    reasonCode: t.exposeString('reason_code', { nullable: true }),
    comment: t.exposeString('comment', { nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    reviewerName: t.string({ resolve: ({ reviewer_name }) => reviewer_name ?? 'Dosar' }),
    /** Accepted by the category's policy, not by a person. */
    isAutomatic: t.boolean({ resolve: ({ reviewer_id }) => reviewer_id === null }),
    /** The first of two acceptances, which leaves the upload in review. */
    isFirst: t.boolean({ resolve: ({ first_of_version }) => first_of_version !== null }),
  }),
})

const FirstAcceptance = builder.objectRef<UploadRow>('FirstAcceptance').implement({
  description: 'The first of two acceptances, until the upload changes.',
  fields: (t) => ({
    reviewerName: t.string({ resolve: ({ first_reviewer_name }) => first_reviewer_name ?? '' }),
    acceptedAt: t.expose('first_accepted_at', { type: 'DateTime', nullable: true }),
    /** Given by the reader, who therefore cannot give the second acceptance. */
    isOwn: t.boolean({
      resolve: ({ first_reviewer_id }, _args, { actor }) => first_reviewer_id === actor.id,
    }),
  }),
})

const ReviewPolicy = builder.objectRef<Policy>('ReviewPolicy').implement({
  description: 'What the category of an upload requires.',
  fields: (t) => ({
    reviewers: t.exposeInt('reviewers'),
    /** `at_once`, `after_hours` or `by_hand`. */
    release: t.expose('release', { type: ReleaseType }),
    releaseHours: t.exposeInt('releaseHours', { nullable: true }),
  }),
})

const MismatchType = builder.objectRef<Mismatch>('Mismatch').implement({
  description: 'A file that has the CNP of a person other than its patient.',
  fields: (t) => ({
    fileId: t.exposeID('fileId'),
    fileName: t.exposeString('fileName'),
    cnpMasked: t.exposeString('cnpMasked'),
    /** The file has more CNPs than are listed. */
    isCut: t.exposeBoolean('isCut'),
  }),
})

builder.objectFields(Upload, (t) => ({
  /** For staff: what must be corrected or explained before the upload can be accepted. */
  mismatches: t.field({ type: [MismatchType], resolve: (upload, _args, ctx) => loadMismatches(ctx, upload) }),
  /** For staff. */
  reviews: t.field({ type: [Review], resolve: (upload, _args, ctx) => loadReviews(ctx, upload) }),
  policy: t.field({
    type: ReviewPolicy,
    nullable: true,
    resolve: (upload, _args, ctx) => readPolicy(ctx, upload),
  }),
  firstAcceptance: t.field({
    type: FirstAcceptance,
    nullable: true,
    resolve: (upload, _args, ctx) => {
      const policy = readPolicy(ctx, upload)
      return policy && policy.reviewers > 1 && upload.first_reviewer_id ? upload : null
    },
  }),
  /**
   * The next upload in the queue, after the last one the first; null if no other waits or the reader does not
   * review.
   */
  nextInReview: t.id({
    nullable: true,
    resolve: (upload, _args, ctx) => findNextInReview(ctx, upload),
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
  releaseUpload: t.field({
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
    resolve: (_root, args, ctx) => releaseUpload(ctx, args),
  }),
  returnUpload: t.field({
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
    resolve: (_root, args, ctx) => returnUpload(ctx, args),
  }),
}))
