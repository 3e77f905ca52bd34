import { LIMITS } from '../../../shared/limits.ts'
import { NEWS_KINDS, type NewsVisibility } from '../../../shared/news/news.ts'
import { builder } from '../../graphql/builder.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { featureOrNull, staffOrEmpty, staffOrNull } from '../../graphql/hidden-fields.ts'
import { UploadPatient } from '../uploads/uploads.graphql.ts'
import { listNewsOf, loadReadings, loadRevisions } from './list-news.ts'
import { markNewsRead } from './mark-news-read.ts'
import type { NewsRow, ReadingRow, RevisionRow } from './news.db.ts'
import { loadNewsMarks } from './news-marks.loader.ts'
import { createNews, editNews, pinNews, removeNews } from './write-news.ts'

export const NewsKindType = builder.enumType('NewsKind', {
  description: 'What an entry about a patient is, in the order of the screens.',
  values: NEWS_KINDS,
})

const VisibilityType = builder.enumType('NewsVisibility', {
  description: 'Who reads news about a patient.',
  values: {
    staff: { description: 'Staff and administrators.' },
    institution: { description: 'Also the institutions that have referred the patient, until that ends.' },
    patient: { description: 'Also the patient.' },
  } satisfies Record<NewsVisibility, object>,
})

const NewsRevision = builder.objectRef<RevisionRow>('NewsRevision').implement({
  authScopes: { staff: true },
  description: 'What an entry said before an edit.',
  fields: (t) => ({
    revision: t.exposeInt('revision', { description: 'Counts the texts of the entry from 1.' }),
    kind: t.expose('kind', { type: NewsKindType }),
    text: t.exposeString('text'),
    visibility: t.expose('visibility', { type: VisibilityType }),
    writerName: t.exposeString('writer_name'),
    writtenAt: t.expose('written_at', { type: 'DateTime' }),
  }),
})

const NewsReading = builder.objectRef<ReadingRow>('NewsReading').implement({
  authScopes: { staff: true },
  description: 'A person who has read an entry.',
  fields: (t) => ({
    name: t.exposeString('name'),
    readAt: t.expose('read_at', { type: 'DateTime' }),
    isCurrent: t.exposeBoolean('is_current', { description: 'Whether they have read the present text.' }),
  }),
})

const News = builder.objectRef<NewsRow>('News').implement({
  description: 'A note, news or a warning about a patient: plain text.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: NewsKindType }),
    text: t.exposeString('text', { description: `At most ${LIMITS.newsText} characters.` }),
    visibility: t.expose('visibility', { type: VisibilityType }),
    pinnedUntil: t.expose('pinned_until', {
      description: 'The last day on which it is pinned, also one that is over; null: it was never pinned.',
      type: 'Date',
      nullable: true,
    }),
    isPinned: t.exposeBoolean('is_pinned', { description: 'Whether it is pinned today.' }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    authorName: t.exposeString('author_name', { ...staffOrNull, nullable: true }),
    revision: t.exposeInt('revision', {
      description: 'Counts the texts of the entry from 1: more than 1 after an edit.',
    }),
    writtenAt: t.expose('written_at', {
      description: 'When the present text was written.',
      type: 'DateTime',
    }),
    writerName: t.exposeString('writer_name', { ...staffOrNull, nullable: true }),
    isUnread: t.exposeBoolean('is_unread', {
      description: 'The reader has not read the present text, nor written it.',
    }),
    removedAt: t.expose('removed_at', { ...staffOrNull, type: 'DateTime', nullable: true }),
    removedByName: t.exposeString('remover_name', { ...staffOrNull, nullable: true }),
    version: t.exposeInt('version', VERSION),
    former: t.field({
      ...staffOrEmpty,
      description: 'What it said before each edit, the last first.',
      type: [NewsRevision],
      resolve: (news, _args, ctx) => loadRevisions(ctx, news),
    }),
    readings: t.field({
      ...staffOrEmpty,
      description: 'Who has read it, the last first.',
      type: [NewsReading],
      resolve: (news, _args, ctx) => loadReadings(ctx, news),
    }),
  }),
})

const NewsMarks = builder.objectRef<{ warnings: number; unread: number }>('NewsMarks').implement({
  description: 'How many news about a patient call for attention.',
  fields: (t) => ({
    warnings: t.exposeInt('warnings'),
    unread: t.exposeInt('unread', { description: 'Those that the reader has not read, of any kind.' }),
  }),
})

builder.objectField(UploadPatient, 'newsMarks', (t) =>
  t.field({
    ...featureOrNull('patient::news'),
    description: 'Of the news about the patient that the reader may read.',
    type: NewsMarks,
    nullable: true,
    resolve: ({ patient_id }, _args, ctx) => loadNewsMarks(ctx, patient_id ?? ''),
  }),
)

const NewsInput = builder.inputType('NewsInput', {
  description: 'What an entry says, all of which is replaced.',
  fields: (t) => ({
    kind: t.field({ type: NewsKindType, required: true }),
    text: t.string({ description: `Plain text of 1 to ${LIMITS.newsText} characters.`, required: true }),
    visibility: t.field({ type: VisibilityType, required: true }),
  }),
})

const NewsReadingInput = builder.inputType('NewsReadingInput', {
  description: 'A text that was shown.',
  fields: (t) => ({ id: t.id({ required: true }), revision: t.int({ required: true }) }),
})

const SHOWN_TO =
  'The institutions that the user was shown as its new readers and has confirmed. CONFLICT if one is missing that would read it now and did not before.'

const FEATURE = { feature: 'patient::news' } as const
const STAFF = { $all: { staff: true, ...FEATURE } } as const

builder.queryFields((t) => ({
  patientNews: t.field({
    description: `The news about a patient, warnings first, then pinned ones, then the newest; at most ${LIMITS.patientNews}. The reading is recorded.`,
    type: [News],
    authScopes: FEATURE,
    args: {
      patientId: t.arg.id({ required: true }),
      removed: t.arg.boolean({
        description: `In their place what was removed in the last ${LIMITS.binDays} days; FORBIDDEN for institutions.`,
      }),
    },
    resolve: (_root, args, ctx) => listNewsOf(ctx, args),
  }),
}))

builder.mutationFields((t) => ({
  createNews: t.field({
    description: `Writes news about a patient. CONFLICT with ${LIMITS.patientNews} entries. The same text of the same author again within ${LIMITS.repeatedNewsMinutes} minutes is written once.`,
    type: News,
    authScopes: STAFF,
    args: {
      patientId: t.arg.id({ required: true }),
      news: t.arg({ type: NewsInput, required: true }),
      pinnedUntil: t.arg({
        description: `The last day on which it comes first: from today to ${LIMITS.pinnedDays} days ahead.`,
        type: 'Date',
      }),
      shownTo: t.arg.idList({ description: SHOWN_TO, required: true }),
    },
    resolve: (_root, args, ctx) => createNews(ctx, args),
  }),
  editNews: t.field({
    description: 'Replaces what an entry says; staff read what it said before. It becomes unread.',
    type: News,
    authScopes: STAFF,
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      news: t.arg({ type: NewsInput, required: true }),
      shownTo: t.arg.idList({ description: SHOWN_TO, required: true }),
    },
    resolve: (_root, args, ctx) => editNews(ctx, args),
  }),
  pinNews: t.field({
    description: 'Pins an entry, or ends that.',
    type: News,
    authScopes: STAFF,
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      until: t.arg({
        description: `The last day, from today to ${LIMITS.pinnedDays} days ahead; null: no longer.`,
        type: 'Date',
      }),
    },
    resolve: (_root, args, ctx) => pinNews(ctx, args),
  }),
  removeNews: t.boolean({
    description: `Removes an entry with its former texts; staff can read them for ${LIMITS.binDays} days.`,
    authScopes: STAFF,
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => removeNews(ctx, args),
  }),
  markNewsRead: t.field({
    description:
      'Marks texts that were shown to the reader as read by them. Entries that they may not read are left out.',
    type: [News],
    authScopes: FEATURE,
    args: { readings: t.arg({ type: [NewsReadingInput], required: true }) },
    resolve: (_root, args, ctx) => markNewsRead(ctx, args),
  }),
}))
