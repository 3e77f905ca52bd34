/**
 * The states of an outgoing mail. `failed`: not sent after a day of retries; `bounced`: the mail server does
 * not know the recipient.
 */
export const MESSAGE_STATES = ['queued', 'sent', 'failed', 'bounced'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/** Whether a mail has not arrived and is not sent any more. */
export const isUndelivered = (state: MessageState | null): boolean =>
  state === 'failed' || state === 'bounced'

export const MESSAGE_STATE_NAMES: Readonly<Record<MessageState, string>> = {
  queued: 'Așteaptă',
  sent: 'Trimis',
  failed: 'Nereușit',
  bounced: 'Refuzat',
}
