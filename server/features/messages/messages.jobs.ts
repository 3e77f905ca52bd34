import { z } from 'zod'
import { defineJob } from '../../define-job.ts'
import { sendMessage } from './send-message.ts'

export const messageJobs = {
  'send-message': defineJob({
    label: 'Trimiterea mesajelor',
    payload: z.object({ messageId: z.uuid() }),
    // For a mail server that is down: the first retry after a minute or two, then twice as long each time, up
    // to six hours. The job ends when the message is a day old, long before the 20th retry.
    retry: { retryLimit: 20, retryDelay: 60, retryBackoff: true, retryDelayMax: 6 * 60 * 60 },
    key: ({ messageId }) => messageId,
    run: (ctx, { messageId }) => sendMessage(ctx, messageId),
  }),
}
