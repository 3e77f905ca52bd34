import type { MessageState } from '../../../shared/message-states.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { listMessages, readStoredText } from './list-messages.ts'
import type { MessageRow } from './messages.db.ts'
import { sendTestMessage } from './send-test-message.ts'

const MessageStateType = builder.enumType('MessageState', {
  description: 'The state of an outgoing mail.',
  values: {
    queued: { description: 'Waits to be sent, perhaps after failed attempts.' },
    sent: { description: 'The mail server has accepted it.' },
    failed: { description: 'It will not be sent any more.' },
    bounced: { description: 'The mail server does not know the recipient.' },
  } satisfies Record<MessageState, object>,
})

const Message = builder.objectRef<MessageRow>('Message').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    recipient: t.exposeString('recipient'),
    recipientName: t.exposeString('recipient_name', { nullable: true }),
    kind: t.exposeString('kind'),
    /** The account that the message is about; null if there is none. */
    userId: t.id({
      nullable: true,
      resolve: ({ about_type, about_id }) => (about_type === 'user' ? about_id : null),
    }),
    subject: t.exposeString('subject'),
    /** `queued`, `sent`, `failed` or `bounced` (the mail server does not know the recipient). */
    state: t.expose('state', { type: MessageStateType }),
    tries: t.exposeInt('tries'),
    /** The mail server's reply code or the kind of failure. */
    lastError: t.exposeString('last_error', { nullable: true }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    sentAt: t.expose('sent_at', { type: 'DateTime', nullable: true }),
    /** The text, only while no mail server is configured and an administrator has to pass it on. */
    body: t.string({ nullable: true, resolve: (message, _args, ctx) => readStoredText(ctx, message) }),
  }),
})

const MessagePage = pageType('MessagePage', Message)

builder.queryFields((t) => ({
  messages: t.field({
    type: MessagePage,
    authScopes: { admin: true },
    args: { ...pageArgs(t), state: t.arg({ type: MessageStateType }) },
    resolve: (_root, args, ctx) => listMessages(ctx, args),
  }),
}))

builder.mutationFields((t) => ({
  sendTestMessage: t.field({
    type: Message,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => sendTestMessage(ctx),
  }),
}))
