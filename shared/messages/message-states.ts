/**
 * The states of an outgoing mail. `failed`: not sent after a day of retries; `bounced`: the mail server does
 * not know the recipient.
 */
export const MESSAGE_STATES = ['queued', 'sent', 'failed', 'bounced'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

export const MESSAGE_STATE_NAMES: Readonly<Record<MessageState, string>> = {
  queued: 'Așteaptă',
  sent: 'Trimis',
  failed: 'Nereușit',
  bounced: 'Refuzat',
}
