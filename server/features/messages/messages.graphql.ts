import { LIMITS } from '../../../shared/limits.ts'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listMessages, readStoredText } from './list-messages.ts'
import { type MailPreview, previewMails } from './mail-previews.ts'
import type { MessageRow } from './messages.db.ts'
import { canRepeat } from './repeat-message.ts'
import { sendTestMessage } from './send-test-message.ts'

export const MessageStateType = builder.enumType('MessageState', {
  description: 'The state of an outgoing mail.',
  values: {
    queued: { description: 'Waits to be sent, perhaps after failed attempts.' },
    sent: { description: 'The mail server has accepted it.' },
    failed: { description: 'It will not be sent any more.' },
    bounced: { description: 'The mail server does not know the recipient.' },
  } satisfies Record<MessageState, object>,
})

const Message = builder.objectRef<MessageRow>('Message').implement({
  authScopes: { admin: true },
  description: 'An outgoing mail.',
  fields: (t) => ({
    id: t.exposeID('id'),
    recipient: t.exposeString('recipient', { description: 'The mail address.' }),
    recipientName: t.exposeString('recipient_name', {
      description: 'Null if the address is all that is known.',
      nullable: true,
    }),
    kind: t.exposeString('kind', {
      description:
        'What the mail is about: `invitation`, `reset`, `password-changed` …; no enum, since a name may not contain `-`.',
    }),
    userId: t.id({
      description: 'The account that the message is about; null if there is none.',
      nullable: true,
      resolve: ({ about_type, about_id }) => (about_type === 'user' ? about_id : null),
    }),
    subject: t.exposeString('subject'),
    state: t.expose('state', { type: MessageStateType }),
    tries: t.exposeInt('tries', { description: 'How often sending it was attempted.' }),
    lastError: t.exposeString('last_error', {
      description: "The mail server's reply code or the kind of failure; null without a failure.",
      nullable: true,
    }),
    canRepeat: t.boolean({
      description:
        'Whether `retryMessage` may send it again; a mail with a one-time link needs a new link instead.',
      resolve: canRepeat,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    sentAt: t.expose('sent_at', {
      description: 'Null while it is not sent.',
      type: 'DateTime',
      nullable: true,
    }),
    body: t.string({
      description:
        'The text, only while no mail server is configured and an administrator has to pass it on; null otherwise.',
      nullable: true,
      resolve: (message, _args, ctx) => readStoredText(ctx, message),
    }),
  }),
})

const Preview = builder.objectRef<MailPreview>('MailPreview').implement({
  authScopes: { admin: true },
  description: 'A kind of mail as it would be written now, with invented data.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'As in `Message`.' }),
    name: t.exposeString('name', { description: 'In Romanian.' }),
    subject: t.exposeString('subject'),
    text: t.exposeString('text'),
  }),
})

const MessagePage = pageType('MessagePage', Message)

builder.queryFields((t) => ({
  messages: t.field({
    description: 'Outgoing mail, newest first. The reading is recorded.',
    type: MessagePage,
    authScopes: { admin: true },
    args: {
      ...pageArgs(t),
      state: t.arg({ description: 'Only mail in this state.', type: MessageStateType }),
      undelivered: t.arg.boolean({
        description: `Only mail of the last ${LIMITS.alarmDays} days that has failed, without what the product has ended itself.`,
      }),
    },
    resolve: (_root, args, ctx) => listMessages(ctx, args),
  }),
  mailPreviews: t.field({
    description: 'Each kind of mail that the product sends.',
    type: [Preview],
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => previewMails(ctx),
  }),
}))

builder.mutationFields((t) => ({
  sendTestMessage: t.field({
    description: "Sends a mail to the administrator's own address.",
    type: Message,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => sendTestMessage(ctx),
  }),
}))
