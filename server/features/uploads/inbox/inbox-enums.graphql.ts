import type { InboxMark, InboxState, InboxView } from '../../../../shared/uploads/inbox.ts'
import { builder } from '../../../graphql/builder.ts'

export const InboxStateType = builder.enumType('InboxState', {
  description: 'How far an institution is with a result.',
  values: {
    new: { description: 'Nobody has marked it.' },
    taken: { description: 'A colleague works on it.' },
    handled: {},
  } satisfies Record<InboxState, object>,
})

export const InboxViewType = builder.enumType('InboxView', {
  description: 'Which results of the inbox are listed, by their marks.',
  values: {
    all: {},
    open: { description: 'New or taken.' },
    new: { description: 'Released since the reader joined the institution, and marked by nobody.' },
    mine: { description: 'Taken by the reader and not handled.' },
    handled: {},
    older: { description: 'Released before the reader joined the institution, and marked by nobody.' },
  } satisfies Record<InboxView, object>,
})

export const InboxMarkType = builder.enumType('InboxMark', {
  description: 'What a user of an institution does with results.',
  values: {
    take: { value: 'take' },
    put_back: { value: 'put-back', description: 'Undoes `take`, also of a colleague.' },
    handle: { value: 'handle' },
    reopen: { value: 'reopen', description: 'Undoes `handle`: the result is taken or new again.' },
  } satisfies Record<string, { value: InboxMark; description?: string }>,
})
