import { LIMITS } from '../../../shared/limits.ts'
import {
  type NOTIFICATION_KINDS,
  NOTIFICATION_OUTCOMES,
} from '../../../shared/notifications/notification-kinds.ts'
import { builder } from '../../graphql/builder.ts'
import { ShareRecipientType } from '../shares/shares.graphql.ts'
import { chooseNotifications, markNotificationsSeen } from './change-notifications.ts'
import {
  countNotifications,
  listNotificationSettings,
  listNotifications,
  type NotificationGroup,
  type NotificationSetting,
} from './list-notifications.ts'

const KindType = builder.enumType('NotificationKind', {
  description: 'What the bell counts.',
  values: {
    results: { description: 'New results of an institution, as `inboxCounts` counts them.' },
    rejected: { description: 'Uploads of the reader that were rejected.' },
    questions: { description: 'What `questionCount` counts.' },
    access_requests: {
      description: 'For staff, requests that wait for a decision; for others, decisions about their own.',
    },
    shares: { description: 'Shares of the reader that wrong proofs have locked or ended.' },
    mail: {
      description: 'Mail of the reader that has failed; for administrators, all of it.',
    },
  } satisfies Record<(typeof NOTIFICATION_KINDS)[number], object>,
})

const OutcomeType = builder.enumType('NotificationOutcome', {
  description: 'What became of a request for access, a share or a mail.',
  values: NOTIFICATION_OUTCOMES,
})

const NotificationType = builder.objectRef<NotificationGroup['items'][number]>('Notification').implement({
  description: 'A thing that the bell counts. It names no patient and no content.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the thing itself.' }),
    at: t.expose('at', { type: 'DateTime' }),
    isNew: t.exposeBoolean('isNew', { description: 'The reader has not seen it yet.' }),
    uploadId: t.id({ nullable: true, resolve: ({ uploadId }) => uploadId ?? null }),
    number: t.int({
      description: 'Of the upload; for people.',
      nullable: true,
      resolve: ({ number }) => number ?? null,
    }),
    categorySlug: t.string({ nullable: true, resolve: ({ categorySlug }) => categorySlug ?? null }),
    institutionId: t.id({ nullable: true, resolve: ({ institutionId }) => institutionId ?? null }),
    institutionName: t.string({ nullable: true, resolve: ({ institutionName }) => institutionName ?? null }),
    patientId: t.id({
      description: 'Of a share, for those who may share.',
      nullable: true,
      resolve: ({ patientId }) => patientId ?? null,
    }),
    shareId: t.id({ nullable: true, resolve: ({ shareId }) => shareId ?? null }),
    recipientKind: t.field({
      description: 'For whom a share is.',
      type: ShareRecipientType,
      nullable: true,
      resolve: ({ recipientKind }) => recipientKind ?? null,
    }),
    mailKind: t.string({
      description: 'As `kind` of `Message`.',
      nullable: true,
      resolve: ({ mailKind }) => mailKind ?? null,
    }),
    outcome: t.field({ type: OutcomeType, nullable: true, resolve: ({ outcome }) => outcome ?? null }),
  }),
})

const Group = builder.objectRef<NotificationGroup>('NotificationGroup').implement({
  description: `The notifications of one kind; the counts are at most ${LIMITS.shownCount}.`,
  fields: (t) => ({
    kind: t.expose('kind', { type: KindType }),
    count: t.exposeInt('count', { description: 'How many there are: as the list has that they come from.' }),
    newCount: t.exposeInt('newCount', { description: 'How many of them the reader has not seen.' }),
    items: t.field({
      description: `The newest, at most ${LIMITS.shownNotifications}.`,
      type: [NotificationType],
      resolve: ({ items }) => items,
    }),
  }),
})

const Setting = builder.objectRef<NotificationSetting>('NotificationSetting').implement({
  description: 'Whether the reader wants a kind of notifications.',
  fields: (t) => ({ kind: t.expose('kind', { type: KindType }), isOn: t.exposeBoolean('isOn') }),
})

builder.queryFields((t) => ({
  notifications: t.field({
    description: "What the reader's bell has, the kind with the newest first.",
    type: [Group],
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listNotifications(ctx),
  }),
  notificationCount: t.int({
    description: `How many things the reader's bell has that the reader has not seen, at most ${LIMITS.shownCount}.`,
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => countNotifications(ctx),
  }),
  notificationSettings: t.field({
    description: 'The kinds of notifications that the reader may have.',
    type: [Setting],
    authScopes: { signedIn: true },
    resolve: (_root, _args, ctx) => listNotificationSettings(ctx),
  }),
}))

const SeenInput = builder.inputType('SeenNotifications', {
  description: 'Until when a kind was seen.',
  fields: (t) => ({
    kind: t.field({ type: KindType, required: true }),
    until: t.field({
      description: 'The time of the newest that was shown.',
      type: 'DateTime',
      required: true,
    }),
  }),
})

builder.mutationFields((t) => ({
  markNotificationsSeen: t.int({
    description: 'Notes until when the reader has seen each kind, and returns `notificationCount`.',
    authScopes: { signedIn: true },
    args: { seen: t.arg({ type: [SeenInput], required: true }) },
    resolve: (_root, { seen }, ctx) => markNotificationsSeen(ctx, seen),
  }),
  chooseNotifications: t.field({
    description:
      'Switches a kind of notifications on or off for the reader alone. FORBIDDEN for a kind that the reader may not have.',
    type: [Setting],
    authScopes: { signedIn: true },
    args: { kind: t.arg({ type: KindType, required: true }), isOn: t.arg.boolean({ required: true }) },
    resolve: (_root, args, ctx) => chooseNotifications(ctx, args),
  }),
}))
