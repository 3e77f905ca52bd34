import type { CategoryPolicy } from '../../../shared/uploads/category-policy.ts'
import { REJECTION_REASONS, VERDICTS } from '../../../shared/uploads/upload-states.ts'
import { builder } from '../../graphql/builder.ts'
import { listCodes, versionArg } from '../../graphql/describe.ts'
import { featureOrNull, staffOrEmpty, staffOrNull } from '../../graphql/hidden-fields.ts'
import { findNextInReview } from '../uploads/list-uploads.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import type { Mismatch } from './cross-check.ts'
import { acceptUpload, rejectUpload } from './decide-upload.ts'
import { type Policy, policyOf } from './policy.ts'
import { releaseUpload, returnUpload } from './release-upload.ts'
import type { ReviewRow } from './reviews.db.ts'
import { loadMismatches, loadReviews } from './reviews.loaders.ts'

const REASON_CODES = listCodes(REJECTION_REASONS)

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
  } satisfies Record<CategoryPolicy['release'], object>,
})

const Review = builder.objectRef<ReviewRow>('Review').implement({
  authScopes: { staff: true },
  description: 'A verdict on an upload.',
  fields: (t) => ({
    id: t.exposeID('id'),
    round: t.exposeInt('round', { description: 'Counts the verdicts on this upload from 1.' }),
    verdict: t.expose('verdict', { type: VerdictType }),
    reasonCode: t.exposeString('reason_code', {
      description: `Why it was rejected: one of ${REASON_CODES}. Null for an acceptance.`,
      nullable: true,
    }),
    comment: t.exposeString('comment', {
      description:
        'For reviewers; that of a rejection also for the author of the upload. Null for other readers, or if there is none.',
      nullable: true,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    reviewerName: t.string({
      description: '`Dosar` if the product accepted it.',
      resolve: ({ reviewer_name }) => reviewer_name ?? 'Dosar',
    }),
    isAutomatic: t.boolean({
      description: "Accepted by the category's policy, not by a person.",
      resolve: ({ reviewer_id }) => reviewer_id === null,
    }),
    isFirst: t.boolean({
      description: 'The first of two acceptances, which leaves the upload in review.',
      resolve: ({ first_of_version }) => first_of_version !== null,
    }),
  }),
})

const FirstAcceptance = builder.objectRef<UploadRow>('FirstAcceptance').implement({
  authScopes: { staff: true },
  description: 'The first of two acceptances, until the upload changes.',
  fields: (t) => ({
    reviewerName: t.string({ resolve: ({ first_reviewer_name }) => first_reviewer_name ?? '' }),
    acceptedAt: t.expose('first_accepted_at', { type: 'DateTime', nullable: true }),
    isOwn: t.boolean({
      description: 'Given by the reader, who therefore cannot give the second acceptance.',
      resolve: ({ first_reviewer_id }, _args, { actor }) => first_reviewer_id === actor.id,
    }),
  }),
})

const ReviewPolicy = builder.objectRef<Policy>('ReviewPolicy').implement({
  authScopes: { staff: true },
  description: 'What the category of an upload requires.',
  fields: (t) => ({
    reviewers: t.exposeInt('reviewers', { description: 'How many different users must accept it: 1 or 2.' }),
    release: t.expose('release', { type: ReleaseType }),
    releaseHours: t.exposeInt('releaseHours', {
      description: 'Hours between acceptance and release, for `after_hours`; null otherwise.',
      nullable: true,
    }),
  }),
})

const MismatchType = builder.objectRef<Mismatch>('Mismatch').implement({
  authScopes: { staff: true },
  description: 'A file that has the CNP of a person other than its patient.',
  fields: (t) => ({
    fileId: t.exposeID('fileId'),
    fileName: t.exposeString('fileName'),
    cnpMasked: t.exposeString('cnpMasked', {
      description: 'The CNP found in the file, with most digits hidden.',
    }),
    isCut: t.exposeBoolean('isCut', { description: 'The file has more CNPs than are listed.' }),
  }),
})

builder.objectFields(Upload, (t) => ({
  mismatches: t.field({
    ...staffOrEmpty,
    description: 'What must be corrected or explained before the upload can be accepted.',
    type: [MismatchType],
    resolve: (upload, _args, ctx) => loadMismatches(ctx, upload),
  }),
  reviews: t.field({
    ...staffOrEmpty,
    description: 'The verdicts, newest first.',
    type: [Review],
    resolve: (upload, _args, ctx) => loadReviews(ctx, upload),
  }),
  policy: t.field({
    ...staffOrNull,
    description: 'What the category requires.',
    type: ReviewPolicy,
    nullable: true,
    resolve: policyOf,
  }),
  firstAcceptance: t.field({
    ...staffOrNull,
    description: 'Null if no second acceptance is waited for.',
    type: FirstAcceptance,
    nullable: true,
    resolve: (upload) => (policyOf(upload).reviewers > 1 && upload.first_reviewer_id ? upload : null),
  }),
  nextInReview: t.id({
    ...featureOrNull('admin::review-files'),
    description:
      'The next upload in the queue that the reader may accept, after the last one the first; null if no other waits.',
    nullable: true,
    resolve: (upload, _args, ctx) => findNextInReview(ctx, upload),
  }),
}))

builder.mutationFields((t) => ({
  acceptUpload: t.field({
    description:
      "Accepts an upload and applies its category's release policy. Where the category requires two reviewers, the first acceptance leaves it in review.",
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      mismatchReason: t.arg.string({
        description: "Required if a file has another person's CNP; it is stored with the verdict.",
      }),
    },
    resolve: (_root, args, ctx) => acceptUpload(ctx, args),
  }),
  rejectUpload: t.field({
    description: 'Returns an upload to its author.',
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      reason: t.arg.string({
        description: `One of ${REASON_CODES}; no enum, since a name may not contain \`-\`.`,
        required: true,
      }),
      comment: t.arg.string({ description: 'For the author; required with the reason `other`.' }),
    },
    resolve: (_root, args, ctx) => rejectUpload(ctx, args),
  }),
  releaseUpload: t.field({
    description: 'Releases an accepted upload now.',
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => releaseUpload(ctx, args),
  }),
  returnUpload: t.field({
    description:
      'Returns an accepted upload to review before its release. It then needs all its acceptances again.',
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => returnUpload(ctx, args),
  }),
}))
