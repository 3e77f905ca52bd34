import { builder, type ClientCtx } from '../../graphql/builder.ts'
import { NewsKindType } from '../news/news.graphql.ts'
import type { PatientNews } from '../news/read-news-for-patient.ts'
import { findRecipient, type RecipientCtx } from './find-recipient.ts'
import { CLOSED_REASONS, findSharePage, PAGE_STATES, type SharePage } from './find-share-page.ts'
import { type ProofOutcome, proveShare } from './prove-share.ts'
import { sendShareCode } from './send-share-code.ts'
import {
  findOwnEvents,
  leaveShare,
  readSharedNews,
  readSharedResults,
  type SharedResults,
} from './shared-results.ts'
import type { EventRow, SharedFileRow } from './shares.db.ts'
import { ShareEventKindType, ShareProofType } from './shares.graphql.ts'

const readCookieOf =
  ({ shareCookies }: ClientCtx) =>
  (shareId: string): string | null =>
    shareCookies?.read(shareId) ?? null

const SharePageState = builder.enumType('SharePageState', {
  description: 'Whether the page asks for a proof, shows results, or nothing.',
  values: PAGE_STATES,
})
const ClosedReason = builder.enumType('ShareClosedReason', {
  description: 'Why a share shows nothing.',
  values: CLOSED_REASONS,
})

const SharePageType = builder.objectRef<SharePage>('ShareLink').implement({
  description:
    'What a link shows before its proof. For an unknown, expired, ended and locked one it is the same.',
  fields: (t) => ({
    state: t.expose('state', { type: SharePageState }),
    proof: t.expose('proof', { description: 'What is asked.', type: ShareProofType, nullable: true }),
    emailMasked: t.exposeString('emailMasked', {
      description: 'Where the code is sent: `a•••@exemplu.ro`.',
      nullable: true,
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    closedReason: t.expose('closedReason', {
      description: 'Why it is closed, in a browser in which it was proved once; null in all others.',
      type: ClosedReason,
      nullable: true,
    }),
    lockedUntil: t.expose('lockedUntil', { type: 'DateTime', nullable: true }),
    fileIds: t.exposeIDList('fileIds', {
      description: 'The files that an open link shows now; none before the proof.',
    }),
  }),
})

const ProofOutcomeType = builder.enumType('ShareProofOutcome', {
  description: 'What became of a proof; `closed`: no proof is taken.',
  values: ['proved', 'wrong', 'closed'] as const,
})
const ProofResult = builder.objectRef<ProofOutcome>('ShareProofResult').implement({
  description: 'The answer to a proof.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: ProofOutcomeType }),
    triesLeft: t.int({
      description: 'Of a wrong proof: until the share is locked, or ends.',
      nullable: true,
      resolve: (result) => (result.outcome === 'wrong' ? result.triesLeft : null),
    }),
  }),
})

const SharedFile = builder.objectRef<SharedFileRow>('SharedFile').implement({
  description: 'A file at `/s/{token}/files/{id}` and, with a preview, `/s/{token}/files/{id}/preview`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    kind: t.exposeString('kind', { description: '`pdf`, `image`, `zip`, `dicom` or `other`.' }),
    type: t.exposeString('type'),
    size: t.exposeFloat('size', { description: 'In bytes.' }),
    pageCount: t.exposeInt('page_count', { nullable: true }),
    hasPreview: t.boolean({ resolve: ({ kind }) => kind === 'pdf' || kind === 'image' }),
  }),
})

const SharedUpload = builder.objectRef<SharedResults['uploads'][number]>('SharedUpload').implement({
  description: 'A released examination.',
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    examinedOn: t.expose('examined_on', { type: 'Date', nullable: true }),
    releasedAt: t.expose('released_at', { type: 'DateTime', nullable: true }),
    categoryName: t.exposeString('category_name', { nullable: true }),
    categoryIcon: t.exposeString('category_icon', { nullable: true }),
    files: t.expose('files', { type: [SharedFile] }),
  }),
})

const SharedEvent = builder.objectRef<EventRow & { isHere: boolean }>('SharedEvent').implement({
  description: 'Who looked at what is shared.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: ShareEventKindType }),
    at: t.expose('at', { type: 'DateTime' }),
    fileName: t.exposeString('file_name', { nullable: true }),
    isHere: t.exposeBoolean('isHere', { description: 'It was in this browser, since its last proof.' }),
  }),
})

const SharedNews = builder.objectRef<PatientNews>('SharedNews').implement({
  description: 'News that staff have written for the patient.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NewsKindType }),
    text: t.exposeString('text'),
    writtenAt: t.expose('writtenAt', { type: 'DateTime' }),
  }),
})

const SharedResultsType = builder
  .objectRef<SharedResults & { recipient: RecipientCtx }>('SharedResults')
  .implement({
    description: 'What is shared, after the proof. All files together are at `/s/{token}/zip`.',
    fields: (t) => ({
      recipientName: t.string({ resolve: ({ recipient }) => recipient.actor.name }),
      uploads: t.expose('uploads', { type: [SharedUpload] }),
      news: t.field({
        description: 'For the patient, or a person whom the patient has designated; empty for others.',
        type: [SharedNews],
        resolve: ({ recipient }) => readSharedNews(recipient),
      }),
      events: t.field({
        description: 'The newest first.',
        type: [SharedEvent],
        resolve: async ({ recipient, sessionId }) =>
          (await findOwnEvents(recipient)).map((event) => ({
            ...event,
            isHere: event.session_id === sessionId,
          })),
      }),
    }),
  })

const tokenArg = {
  required: true,
  description: 'What follows `/s/` in the address: a token or a short code.',
} as const

builder.queryFields((t) => ({
  sharePage: t.withAuth({ anyClient: true }).field({
    description: 'What a link shows before its proof. Reading it counts as no opening.',
    type: SharePageType,
    skipTypeScopes: true,
    args: { token: t.arg.string(tokenArg) },
    resolve: (_root, { token }, ctx) => findSharePage(ctx, token, readCookieOf(ctx)),
  }),
  sharedResults: t.withAuth({ anyClient: true }).field({
    description:
      'What is shared with the recipient who has proved the link in this browser; null for all others. The reading is recorded.',
    type: SharedResultsType,
    nullable: true,
    skipTypeScopes: true,
    args: { token: t.arg.string(tokenArg) },
    resolve: async (_root, { token }, ctx) => {
      const recipient = await findRecipient(ctx, token, readCookieOf(ctx))
      const results = recipient && (await readSharedResults(recipient))
      return results && { ...results, recipient }
    },
  }),
}))

builder.mutationFields((t) => ({
  proveShare: t.withAuth({ anyClient: true }).field({
    description:
      'Checks the proof of a link; a right one opens it in this browser for an hour. `closed` also after the wrong proof that locks or ends it.',
    type: ProofResult,
    skipTypeScopes: true,
    args: { token: t.arg.string(tokenArg), proof: t.arg.string({ required: true }) },
    resolve: async (_root, args, ctx) => {
      const result = await proveShare(ctx, args)
      if (result.outcome === 'proved') ctx.shareCookies?.write(result.shareId, result.cookie)
      return result
    },
  }),
  sendShareCode: t.withAuth({ anyClient: true }).boolean({
    description: 'Sends the code of a link by mail, at most one a minute. Always true.',
    skipTypeScopes: true,
    args: { token: t.arg.string(tokenArg) },
    resolve: async (_root, { token }, ctx) => {
      await sendShareCode(ctx, token)
      return true
    },
  }),
  leaveShare: t.withAuth({ anyClient: true }).boolean({
    description: 'Closes a link in this browser. Always true.',
    skipTypeScopes: true,
    args: { token: t.arg.string(tokenArg) },
    resolve: async (_root, { token }, ctx) => {
      const recipient = await findRecipient(ctx, token, readCookieOf(ctx))
      if (recipient) {
        await leaveShare(recipient)
        ctx.shareCookies?.write(recipient.actor.shareId, null)
      }
      return true
    },
  }),
}))
