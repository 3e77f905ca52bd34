import { LIMITS } from '../../../../shared/limits.ts'
import { builder } from '../../../graphql/builder.ts'
import { Upload } from '../uploads.graphql.ts'
import { countInbox } from './count-inbox.ts'
import type { FormerMark, InboxCounts, InboxItemRow } from './inbox.db.ts'
import { InboxMarkType, InboxStateType, InboxViewType } from './inbox-enums.graphql.ts'
import { loadInboxItem } from './inbox-item.loader.ts'
import { keepFilters } from './keep-filters.ts'
import { type MarkedResults, markResults } from './mark-results.ts'

const IN_INBOX = { $all: { institution: true, feature: 'patient::files' } } as const

const FormerInboxMark = builder.objectRef<FormerMark>('FormerInboxMark').implement({
  description: 'A mark of a result before its last release, or of the version that it replaces.',
  fields: (t) => ({
    state: t.expose('state', { type: InboxStateType }),
    name: t.exposeString('name', { description: 'Of the colleague, as it was then.' }),
    at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }),
  }),
})

const InboxItem = builder.objectRef<InboxItemRow>('InboxItem').implement({
  description: 'The marks of a result at its institution, which all its users share.',
  fields: (t) => ({
    state: t.expose('mark', {
      description: 'Null: released before the reader joined the institution, and marked by nobody.',
      type: InboxStateType,
      nullable: true,
    }),
    isMine: t.boolean({
      description: 'Whether the reader has taken it.',
      resolve: ({ taken_by }, _args, { actor }) => taken_by === actor.id,
    }),
    takenByName: t.exposeString('taken_by_name', { nullable: true }),
    takenAt: t.expose('taken_at', { type: 'DateTime', nullable: true }),
    handledByName: t.exposeString('handled_by_name', { nullable: true }),
    handledAt: t.expose('handled_at', { type: 'DateTime', nullable: true }),
    former: t.field({
      description: 'The oldest first.',
      type: [FormerInboxMark],
      resolve: ({ former }) => former,
    }),
  }),
})

builder.objectField(Upload, 'inbox', (t) =>
  t.field({
    description: 'The marks of a result, for the users of its institution; null for staff.',
    type: InboxItem,
    nullable: true,
    resolve: (upload, _args, ctx) => loadInboxItem(ctx, upload),
  }),
)

const COUNTED = `No further than ${LIMITS.shownCount}.`

const InboxCountsType = builder.objectRef<InboxCounts>('InboxCounts').implement({
  description: "How many results wait in the reader's inbox, of the reader's own departments.",
  fields: (t) => ({
    open: t.exposeInt('open', { description: `New or taken. ${COUNTED}` }),
    new: t.exposeInt('new', { description: COUNTED }),
    mine: t.exposeInt('mine', { description: `Taken by the reader and not handled. ${COUNTED}` }),
    older: t.exposeInt('older', {
      description: `Released before the reader joined and marked by nobody; not among the open ones. ${COUNTED}`,
    }),
  }),
})

const MarkedResultsType = builder.objectRef<MarkedResults>('MarkedResults').implement({
  description: 'The results of a mark.',
  fields: (t) => ({
    changed: t.field({ type: [Upload], resolve: ({ changed }) => changed }),
    unchanged: t.field({
      description: 'For which the mark changes nothing, as after the same mark of a colleague.',
      type: [Upload],
      resolve: ({ unchanged }) => unchanged,
    }),
  }),
})

builder.queryFields((t) => ({
  inboxCounts: t.field({
    description: 'How many results wait.',
    type: InboxCountsType,
    authScopes: IN_INBOX,
    resolve: (_root, _args, ctx) => countInbox(ctx),
  }),
}))

builder.mutationFields((t) => ({
  markResults: t.field({
    description: 'Marks results for all users of their institution.',
    type: MarkedResultsType,
    authScopes: IN_INBOX,
    args: {
      ids: t.arg.idList({ description: `At most ${LIMITS.inboxSelection}.`, required: true }),
      mark: t.arg({ type: InboxMarkType, required: true }),
    },
    resolve: (_root, args, ctx) => markResults(ctx, args),
  }),
  keepInboxFilters: t.field({
    description:
      "Keeps the filters that the reader's next visit begins with, in place of the former ones; the session has them.",
    type: 'Boolean',
    authScopes: IN_INBOX,
    args: {
      view: t.arg({ type: InboxViewType }),
      since: t.arg({ type: 'Date' }),
      until: t.arg({ type: 'Date' }),
      category: t.arg.string(),
      doctor: t.arg.string(),
      institutionId: t.arg.id(),
      departmentId: t.arg.id(),
      ownDepartments: t.arg.boolean({
        description: 'Without `departmentId`, false means all departments. True if omitted.',
      }),
    },
    resolve: async (_root, args, ctx) => {
      await keepFilters(ctx, args)
      return true
    },
  }),
}))
