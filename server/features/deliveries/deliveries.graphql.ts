import { INSTITUTION_FIGURES } from '../../../shared/institutions.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { MessageStateType } from '../messages/messages.graphql.ts'
import { UploadStateType } from '../uploads/upload-enums.graphql.ts'
import type { LedgerRow } from './ledger.db.ts'
import { listLedger, recipientNameOf } from './list-ledger.ts'
import { retryMessage } from './retry-message.ts'
import type { UnopenedRow } from './unopened.db.ts'
import { listUnopenedInstitutions, type Resent, resendAnnouncements } from './unopened.ts'

const DeliveryStep = builder.objectRef<LedgerRow>('DeliveryStep').implement({
  authScopes: { staff: true },
  description: 'How far the present release of an upload has come, for one recipient or for none.',
  fields: (t) => ({
    id: t.id({ resolve: ({ upload_id, recipient_key }) => `${upload_id} ${recipient_key}` }),
    uploadId: t.exposeID('upload_id'),
    uploadNumber: t.exposeInt('upload_number'),
    title: t.exposeString('title'),
    state: t.expose('state', { type: UploadStateType }),
    institutionName: t.exposeString('institution_name', { nullable: true }),
    receivedAt: t.expose('received_at', { description: 'When its upload began.', type: 'DateTime' }),
    checkedAt: t.expose('checked_at', {
      description: 'When its files were first inspected.',
      type: 'DateTime',
      nullable: true,
    }),
    reviewedAt: t.expose('reviewed_at', {
      description: 'When it was last accepted.',
      type: 'DateTime',
      nullable: true,
    }),
    releasedAt: t.expose('released_at', { type: 'DateTime', nullable: true }),
    recipientName: t.string({
      description:
        'A user of an institution, or the recipient of a link, who is not named if they are the patient or designated by the patient; null if it was announced to nobody, is in no link and nobody has opened it.',
      nullable: true,
      resolve: recipientNameOf,
    }),
    mailState: t.expose('mail_state', {
      description: 'Of the mail that announces it or has the link; null if none was due.',
      type: MessageStateType,
      nullable: true,
    }),
    mailedAt: t.expose('mailed_at', {
      description: 'When the mail server accepted it.',
      type: 'DateTime',
      nullable: true,
    }),
    mailError: t.exposeString('mail_error', { description: 'As `lastError` of `Message`.', nullable: true }),
    openedAt: t.expose('opened_at', { type: 'DateTime', nullable: true }),
    downloadedAt: t.expose('downloaded_at', { type: 'DateTime', nullable: true }),
  }),
})

const DeliveryStepPage = pageType('DeliveryStepPage', DeliveryStep)

const UnopenedInstitution = builder.objectRef<UnopenedRow>('UnopenedInstitution').implement({
  authScopes: { staff: true },
  description: 'An institution with results that nobody there has opened. It names no patient.',
  fields: (t) => ({
    institutionId: t.exposeID('id'),
    institutionName: t.exposeString('name'),
    phone: t.exposeString('phone', { nullable: true }),
    contacts: t.exposeString('contacts', { nullable: true }),
    count: t.exposeInt('count', {
      description: `Of its unopened results; ${INSTITUTION_FIGURES.countMax} means that many or more.`,
    }),
    oldestAt: t.expose('oldest', { description: 'When the oldest was released.', type: 'DateTime' }),
    people: t.exposeInt('people', { description: 'How many of its users get mail about results.' }),
    resentAt: t.expose('resent_at', {
      description: 'When staff last had unopened results announced again.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const ResentAnnouncements = builder.objectRef<Resent>('ResentAnnouncements').implement({
  authScopes: { staff: true },
  fields: (t) => ({
    people: t.exposeInt('people', { description: 'To how many users a mail goes.' }),
    unreached: t.exposeStringList('unreached', {
      description:
        'The names of institutions of which nobody gets a mail, or where nothing is unopened any more.',
    }),
  }),
})

const STAFF_WITH_FILES = { $all: { staff: true, feature: 'patient::files' } } as const
const REVIEWERS_WITH_FILES = {
  $all: { staff: true, feature: 'admin::review-files' },
} as const

const PERIOD = {
  days: 'Only results released on one of this many last days in Romania, today included; all if omitted.',
  olderThan: 'Only those released this many days ago or earlier, by days in Romania; all if omitted.',
}

builder.queryFields((t) => ({
  deliveryLedger: t.field({
    description:
      'What became of an upload, or of each of a patient: a row for each recipient, the newest upload first. The reading is recorded.',
    type: DeliveryStepPage,
    authScopes: REVIEWERS_WITH_FILES,
    args: {
      ...pageArgs(t),
      uploadId: t.arg.id({ description: 'Either this or `patientId`.' }),
      patientId: t.arg.id(),
    },
    resolve: (_root, args, ctx) => listLedger(ctx, args),
  }),
  unopenedInstitutions: t.field({
    description:
      'The institutions with results that nobody there has opened, the longest waiting first; `institutionResults` lists these.',
    type: [UnopenedInstitution],
    authScopes: STAFF_WITH_FILES,
    args: {
      days: t.arg.int({ description: PERIOD.days }),
      olderThan: t.arg.int({ description: PERIOD.olderThan }),
    },
    resolve: (_root, args, ctx) => listUnopenedInstitutions(ctx, args),
  }),
}))

builder.mutationFields((t) => ({
  resendAnnouncements: t.field({
    description: 'Announces the unopened results of institutions again, by mail to their users who want it.',
    type: ResentAnnouncements,
    authScopes: STAFF_WITH_FILES,
    args: {
      institutionIds: t.arg.idList({ required: true }),
      days: t.arg.int({ description: PERIOD.days }),
      olderThan: t.arg.int({ description: PERIOD.olderThan }),
    },
    resolve: (_root, args, ctx) => resendAnnouncements(ctx, args),
  }),
  retryMessage: t.field({
    description: 'Has a failed mail sent again as a new one, where it has no one-time link.',
    type: 'Boolean',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => retryMessage(ctx, id),
  }),
}))
