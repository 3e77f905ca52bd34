import { LIMITS } from '../../../shared/limits.ts'
import { SHARE_CHANNELS, SHARE_ENDS, SHARE_EVENTS, SHARE_RECIPIENTS } from '../../../shared/shares/shares.ts'
import { SHARE_PROOFS } from '../../../shared/site/setting-bounds.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { VERSION } from '../../graphql/describe.ts'
import { MessageStateType } from '../messages/messages.graphql.ts'
import { Patient } from '../patients/patients.graphql.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import { type CreatedShare, createShare } from './create-share.ts'
import { endShares } from './end-shares.ts'
import { findEventsOfShare, listShares, readShare } from './list-shares.ts'
import { stateOf } from './share-state.ts'
import { loadUploadsOfShare } from './share-uploads.loader.ts'
import type { EventRow, ShareRow } from './shares.db.ts'
import { printSlip } from './slip/print-slip.ts'

const SHARE = { feature: 'patient::share' } as const

export const ShareRecipientType = builder.enumType('ShareRecipientKind', {
  description: 'To whom results are shared.',
  values: SHARE_RECIPIENTS,
})
const Channel = builder.enumType('ShareChannel', {
  description: 'How the link reaches its recipient.',
  values: SHARE_CHANNELS,
})
export const ShareProofType = builder.enumType('ShareProof', {
  description: 'What the recipient has to prove: the birth date of the patient, a PIN, or a code by mail.',
  values: SHARE_PROOFS,
})
const End = builder.enumType('ShareEnd', {
  description:
    'A person has ended it, ten proofs were wrong, nothing of it is released any more, or its time is over.',
  values: SHARE_ENDS,
})
const StateType = builder.enumType('ShareState', {
  description:
    '`closed`: its maker may no longer share, the feature is off, or patients do not see the category.',
  values: ['live', 'locked', 'closed', 'expired', 'ended'] as const,
})
const Filter = builder.enumType('ShareFilter', {
  description: 'Whether shares have ended; those that expire are ended within the hour.',
  values: ['live', 'ended'] as const,
})
export const ShareEventKindType = builder.enumType('ShareEventKind', {
  description: 'What was done with a share.',
  values: SHARE_EVENTS,
})

const ShareEvent = builder.objectRef<EventRow>('ShareEvent').implement({
  description: 'A proof that was checked, an opening, a preview or a download.',
  authScopes: SHARE,
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: ShareEventKindType }),
    at: t.expose('at', { type: 'DateTime' }),
    fileName: t.exposeString('file_name', {
      description: 'Of a preview or a download; null for readers without `patient::files`.',
      nullable: true,
    }),
  }),
})

const Share = builder.objectRef<ShareRow>('Share').implement({
  description: 'Released results that are shared with a person without an account.',
  authScopes: SHARE,
  fields: (t) => ({
    id: t.exposeID('id'),
    patientId: t.exposeID('patient_id'),
    patientName: t.exposeString('patient_name'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    createdByName: t.exposeString('created_by_name'),
    recipientKind: t.expose('recipient_kind', { type: ShareRecipientType }),
    recipientName: t.exposeString('recipient_name'),
    channel: t.expose('channel', { type: Channel }),
    email: t.exposeString('email', { description: 'Where the link or the code is sent.', nullable: true }),
    mailState: t.expose('mail_state', {
      description: 'Of the mail with the link; null with another channel.',
      type: MessageStateType,
      nullable: true,
    }),
    proof: t.expose('proof', { type: ShareProofType }),
    reason: t.exposeString('reason'),
    state: t.field({ type: StateType, resolve: (share, _args, { now }) => stateOf(share, now) }),
    expiresAt: t.expose('expires_at', { type: 'DateTime' }),
    maxOpenings: t.exposeInt('max_openings', { description: 'Null: any number.', nullable: true }),
    openings: t.exposeInt('openings', { description: 'How many proofs have opened it.' }),
    openedAt: t.expose('opened_at', { description: 'For the first time.', type: 'DateTime', nullable: true }),
    wrongProofs: t.exposeInt('wrong_proofs'),
    lockedUntil: t.expose('locked_until', {
      description: 'After five wrong proofs.',
      type: 'DateTime',
      nullable: true,
    }),
    endedAt: t.expose('ended_at', { type: 'DateTime', nullable: true }),
    endedByName: t.exposeString('ended_by_name', { nullable: true }),
    endedWhy: t.expose('ended_why', { type: End, nullable: true }),
    endedNote: t.exposeString('ended_note', {
      description: 'The reason that a person gave.',
      nullable: true,
    }),
    version: t.exposeInt('version', VERSION),
    uploads: t.field({
      description: 'Those that it shows and the reader may see.',
      type: [Upload],
      resolve: ({ id }, _args, ctx) => loadUploadsOfShare(ctx, id),
    }),
    events: t.field({
      description: `The newest first, at most ${LIMITS.shareEvents}.`,
      type: [ShareEvent],
      resolve: ({ id }, _args, ctx) => findEventsOfShare(ctx, id),
    }),
  }),
})

const SharePageList = pageType('ShareList', Share)

const CreatedShareType = builder.objectRef<CreatedShare>('CreatedShare').implement({
  description: 'A new share with what is shown once: nothing of it is stored.',
  authScopes: SHARE,
  fields: (t) => ({
    share: t.expose('share', { type: Share }),
    link: t.exposeString('link'),
    pin: t.exposeString('pin', {
      description: 'Six digits, which the recipient gets separately from the link; null with another proof.',
      nullable: true,
    }),
    code: t.exposeString('code', {
      description: 'The short code of a slip, for the page `/s`; null with another channel.',
      nullable: true,
    }),
    slip: t.string({
      description: 'The slip to print, an A6 page as PDF in base64; null with another channel.',
      nullable: true,
      resolve: (created, _args, ctx) => printSlip(ctx, created),
    }),
  }),
})

const ShareInput = builder.inputType('ShareInput', {
  description: 'What is shared, with whom and how.',
  fields: (t) => ({
    patientId: t.id({ required: true }),
    uploadIds: t.idList({
      required: true,
      description: `Released ones of the patient, at most ${LIMITS.shareUploads}.`,
    }),
    recipientKind: t.field({ type: ShareRecipientType, required: true }),
    recipientName: t.string({ description: "The patient's name if omitted for the patient." }),
    channel: t.field({ type: Channel, required: true }),
    email: t.string({ description: 'Required for the channel and for the proof by mail.' }),
    proof: t.field({ type: ShareProofType, required: true }),
    days: t.int({ description: 'The setting `share_days` if omitted; at most `share_days_max`.' }),
    maxOpenings: t.int(),
    reason: t.string({ required: true }),
  }),
})

builder.objectField(Patient, 'shares', (t) =>
  t.field({
    description: `The newest first, at most ${LIMITS.pageSizeMax}; \`shares\` has the others.`,
    type: [Share],
    authScopes: SHARE,
    unauthorizedResolver: () => [],
    resolve: async ({ id }, _args, ctx) =>
      (await listShares(ctx, { patientId: id, first: LIMITS.pageSizeMax })).nodes,
  }),
)

builder.queryFields((t) => ({
  shares: t.field({
    description:
      'The newest first, of all patients or of one, `mine` those that the user made. The reading is recorded.',
    type: SharePageList,
    authScopes: { $all: { staff: true, ...SHARE } },
    args: { ...pageArgs(t), patientId: t.arg.id(), state: t.arg({ type: Filter }), mine: t.arg.boolean() },
    resolve: (_root, args, ctx) => listShares(ctx, args),
  }),
  share: t.field({
    description: 'A share. The reading is recorded.',
    type: Share,
    authScopes: { $all: { staff: true, ...SHARE } },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readShare(ctx, id),
  }),
}))

builder.mutationFields((t) => ({
  createShare: t.field({
    description:
      'Shares released results of a patient that the reader may see. Also requires `patient::files`.',
    type: CreatedShareType,
    authScopes: { $all: { staff: true, ...SHARE } },
    args: { input: t.arg({ type: ShareInput, required: true }) },
    resolve: (_root, { input }, ctx) => createShare(ctx, input),
  }),
  endShares: t.field({
    description: `Ends shares, at most ${LIMITS.endedShares}: their recipients lose them at once. Those that have ended stay as they are.`,
    type: [Share],
    authScopes: { $all: { staff: true, ...SHARE } },
    args: { ids: t.arg.idList({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => endShares(ctx, args),
  }),
}))
