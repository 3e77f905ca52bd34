import { ACCEPT_REASONS } from '../../../shared/reviews/accept-reasons.ts'
import { COMPARED_FACTS, COMPARISON_RESULTS, HOLD_KINDS, type Hold } from '../../../shared/reviews/holds.ts'
import type { CategoryPolicy } from '../../../shared/uploads/category-policy.ts'
import { REJECTION_REASONS, VERDICTS } from '../../../shared/uploads/upload-states.ts'
import { builder } from '../../graphql/builder.ts'
import { listCodes, versionArg } from '../../graphql/describe.ts'
import { featureOrNull, staffOrEmpty, staffOrNull } from '../../graphql/hidden-fields.ts'
import { compareMove, type MoveComparison } from '../incidents/compare-move.ts'
import { type ShownLine, showFact } from '../matching/list-disagreements.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { findNextInReview } from '../uploads/list-uploads.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { correctUpload } from './correct-upload.ts'
import { acceptUpload, rejectUpload } from './decide-upload.ts'
import { listOwnNotices, OWN_NOTICES, type OwnNotice } from './own-notices/list-own-notices.ts'
import { type Policy, policyOf } from './policy.ts'
import { readHolds } from './read-holds.ts'
import { releaseUpload, returnUpload } from './release-upload.ts'
import type { ReviewRow } from './reviews.db.ts'
import {
  loadComparison,
  loadIsDisagreeing,
  loadReviews,
  type Mark,
  type ShownComparison,
} from './reviews.loaders.ts'
import { findUndoUntil, undoVerdict } from './undo-verdict.ts'

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
      description: `Why it was rejected: one of ${REASON_CODES}; why it was accepted although it was held: one of ${listCodes(ACCEPT_REASONS)}. Null for any other acceptance.`,
      nullable: true,
    }),
    holds: t.field({
      description: 'What the reviewer accepted with the reason; only for reviewers.',
      type: [HoldType],
      resolve: ({ checks }) => readHolds(checks),
    }),
    undoneAt: t.expose('undone_at', {
      description: 'When its reviewer undid it; null: it counts.',
      type: 'DateTime',
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

const HoldType = builder.objectRef<Hold>('Hold').implement({
  authScopes: { staff: true },
  description: 'Why the gate held an upload, for one file.',
  fields: (t) => ({
    kind: t.string({
      description: `One of ${listCodes(HOLD_KINDS)}.`,
      resolve: ({ kind }) => kind,
    }),
    what: t.string({
      description: `Which fact disagrees: one of ${listCodes(COMPARED_FACTS)}; only of \`disagrees\`.`,
      nullable: true,
      resolve: ({ what }) => what ?? null,
    }),
    value: t.string({
      description: 'The value in the file; a CNP with most digits hidden. Only of `disagrees`.',
      nullable: true,
      resolve: ({ value }) => value ?? null,
    }),
    fileId: t.exposeID('fileId'),
    fileName: t.exposeString('fileName'),
  }),
})

type DisagreeingFact = ShownLine['disagreeing'][number] & { what: ShownLine['what'] }

const DisagreeingFactType = builder.objectRef<DisagreeingFact>('DisagreeingFact').implement({
  authScopes: { staff: true },
  description: 'A value of another person in files of an upload.',
  fields: (t) => ({
    value: t.string({
      description: 'A CNP with most digits hidden, a name, or a day as yyyy-MM-dd.',
      resolve: ({ what, value }) => showFact(what, value),
    }),
    fileIds: t.exposeIDList('fileIds'),
    place: t.field({
      description:
        'Where it is in the first of the files: `in` (`text`, `tag`, `code`, `file-name`), and where known `entry`, `page`, `box` (parts of the page), `line`, `cell`, `tag`.',
      type: 'JSON',
      resolve: ({ place }) => place,
    }),
  }),
})

export const ComparisonLine = builder.objectRef<ShownLine>('ComparisonLine').implement({
  authScopes: { staff: true },
  description: 'One fact of the patient, compared with all files.',
  fields: (t) => ({
    what: t.string({
      description: `One of ${listCodes(COMPARED_FACTS)}; no enum, since a name may not contain \`-\`.`,
      resolve: ({ what }) => what,
    }),
    result: t.string({
      description: `One of ${listCodes(COMPARISON_RESULTS)}; \`absent\`: no file has it; \`unread\`: none of those that were read, and not all were.`,
      resolve: ({ result }) => result,
    }),
    disagreeing: t.field({
      description: 'The values of other people, each once.',
      type: [DisagreeingFactType],
      resolve: ({ what, disagreeing }) => disagreeing.map((fact) => ({ ...fact, what })),
    }),
  }),
})

const ComparisonMark = builder.objectRef<Mark>('ComparisonMark').implement({
  authScopes: { staff: true },
  description: 'A compared fact on a page of a PDF or in a picture.',
  fields: (t) => ({
    fileId: t.exposeID('fileId'),
    what: t.string({
      description: `One of ${listCodes(COMPARED_FACTS)}.`,
      resolve: ({ what }) => what,
    }),
    page: t.exposeInt('page', { description: 'From 1.' }),
    box: t.exposeFloatList('box', {
      description: 'Left, top, width and height of its line, as parts of the page.',
    }),
    agrees: t.exposeBoolean('agrees', { description: 'Whether it is of the patient of the upload.' }),
  }),
})

const ComparisonType = builder.objectRef<ShownComparison>('Comparison').implement({
  authScopes: { staff: true },
  description: 'What the files of an upload state of their patient, compared with its patient.',
  fields: (t) => ({
    lines: t.field({ type: [ComparisonLine], resolve: ({ lines }) => lines }),
    marks: t.field({
      description: 'The facts that have a place to mark, those of other people first; at most 500.',
      type: [ComparisonMark],
      resolve: ({ marks }) => marks,
    }),
    holds: t.field({
      description:
        'Why the upload is held, besides files that were not opened: what `acceptUpload` takes as `shownHolds`.',
      type: [HoldType],
      resolve: ({ holds }) => holds,
    }),
    unreadFileIds: t.exposeIDList('unreadFileIds', {
      description: 'The files that were never read: of an earlier version, or not checked yet.',
    }),
    isCut: t.exposeBoolean('isCut', { description: 'A file says more than is kept.' }),
  }),
})

const MoveComparisonType = builder.objectRef<MoveComparison>('MoveComparison').implement({
  authScopes: { staff: true },
  description: 'What the files that a move to another patient takes along state, compared with that patient.',
  fields: (t) => ({
    lines: t.field({ type: [ComparisonLine], resolve: ({ lines }) => lines }),
    holds: t.field({
      description: 'What disagrees, for each file; the move needs a reason for it.',
      type: [HoldType],
      resolve: ({ holds }) => holds,
    }),
  }),
})

builder.objectFields(Upload, (t) => ({
  comparison: t.field({
    ...staffOrNull,
    description:
      'What disagrees must be corrected or explained before the upload can be accepted. Null without a patient.',
    type: ComparisonType,
    nullable: true,
    resolve: (upload, _args, ctx) => loadComparison(ctx, upload),
  }),
  isDisagreeing: t.boolean({
    ...staffOrNull,
    description: 'Whether a file names another person than the patient of the upload.',
    nullable: true,
    resolve: (upload, _args, ctx) => loadIsDisagreeing(ctx, upload),
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
  undoUntil: t.field({
    ...featureOrNull('admin::review-files'),
    description: 'Until when the reader can undo their verdict on the upload; null: there is none to undo.',
    type: 'DateTime',
    nullable: true,
    resolve: (upload, _args, ctx) => findUndoUntil(ctx, upload),
  }),
  nextInReview: t.id({
    ...featureOrNull('admin::review-files'),
    description:
      'The next upload in the queue that the reader may accept, after the last one the first; null if no other waits.',
    nullable: true,
    resolve: (upload, _args, ctx) => findNextInReview(ctx, upload),
  }),
}))

const OwnNoticeType = builder.objectRef<OwnNotice>('OwnNotice').implement({
  authScopes: { staff: true },
  description: 'An upload of the reader that needs the reader. It names no patient.',
  fields: (t) => ({
    uploadId: t.id({ resolve: ({ upload }) => upload.id }),
    number: t.int({ resolve: ({ upload }) => upload.number }),
    why: t.field({
      type: builder.enumType('OwnNoticeReason', {
        description: 'Its state, or that a file names another person.',
        values: OWN_NOTICES,
      }),
      resolve: ({ why }) => why,
    }),
  }),
})

builder.queryField('ownNotices', (t) =>
  t.field({
    description: 'Which of the uploads of the reader need the reader, the newest 200.',
    type: [OwnNoticeType],
    authScopes: { $all: { staff: true, feature: 'patient::files' } },
    resolve: (_root, _args, ctx) => listOwnNotices(ctx),
  }),
)

const ShownHoldInput = builder.inputType('ShownHoldInput', {
  description: 'A hold of `comparison` as it was shown to the reviewer.',
  fields: (t) => ({
    kind: t.string({ description: `One of ${listCodes(HOLD_KINDS)}.`, required: true }),
    what: t.string({ description: 'Only of `disagrees`.' }),
    value: t.string({ description: 'Only of `disagrees`, as it was sent.' }),
    fileId: t.id({ required: true }),
  }),
})

builder.queryField('moveComparison', (t) =>
  t.field({
    description:
      'How the files of an upload agree with the patient to whom a move would give them; those of the versions that move along too.',
    type: MoveComparisonType,
    authScopes: { feature: 'admin::review-files' },
    args: { uploadId: t.arg.id({ required: true }), patientId: t.arg.id({ required: true }) },
    resolve: async (_root, { uploadId, patientId }, ctx) =>
      compareMove(ctx, await getUpload(ctx, uploadId), patientId),
  }),
)

const UploadCorrection = builder.inputType('UploadCorrection', {
  description:
    'The details of an upload that can be corrected, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    institutionId: t.id({ description: 'Must have referred the patient.' }),
    categorySlug: t.string({ description: 'With `::` between the levels.' }),
    title: t.string({ required: true }),
    examinedOn: t.string({
      description: 'yyyy-MM-dd, not in the future. A text, so that an error names the field.',
    }),
    accessionNumber: t.string({ description: 'The number of the examination at the organisation.' }),
    referringDoctor: t.string(),
  }),
})

builder.mutationFields((t) => ({
  correctUpload: t.field({
    description:
      'Corrects the details of an upload that is accepted or was released. It returns to review, invisible outside the staff, if another institution would see it or its new category requires more than it had.',
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      upload: t.arg({ type: UploadCorrection, required: true }),
      reason: t.arg.string({ description: 'For the audit log.', required: true }),
    },
    resolve: (_root, args, ctx) => correctUpload(ctx, args),
  }),
  acceptUpload: t.field({
    description:
      "Accepts an upload and applies its category's release policy, once the verdict can no longer be undone. Where the category requires two reviewers, the first acceptance leaves it in review. BAD_USER_INPUT with a sentence for each hold while a file disagrees with the patient, was not opened, cannot be read or was read only in part, and no reason is given.",
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      openedFileIds: t.arg.idList({
        description:
          'The files that the reviewer was shown or has downloaded; a file that is not among them is held.',
      }),
      shownHolds: t.arg({
        description:
          'The `holds` of `comparison` that the reviewer was shown. The reason covers these and files that were not opened; any other hold is a CONFLICT, with a sentence for each hold.',
        type: [ShownHoldInput],
      }),
      reason: t.arg.string({
        description: `Required with \`comment\` while the upload is held: one of ${listCodes(ACCEPT_REASONS)}; no enum, since a name may not contain \`-\`.`,
      }),
      comment: t.arg.string({
        description: 'A line of text, required with `reason`; both are stored with the verdict.',
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
  undoVerdict: t.field({
    description:
      "Undoes the reader's own last verdict within the seconds of the setting `undo_seconds`; the upload is in review again.",
    type: Upload,
    authScopes: { feature: 'admin::review-files' },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => undoVerdict(ctx, args),
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
