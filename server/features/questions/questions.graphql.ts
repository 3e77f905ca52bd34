import { LIMITS } from '../../../shared/limits.ts'
import { QUESTION_STATES } from '../../../shared/requests/questions.ts'
import { builder } from '../../graphql/builder.ts'
import { pageArgs, pageType } from '../../graphql/connections.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { staffOrNull } from '../../graphql/hidden-fields.ts'
import { Upload } from '../uploads/uploads.graphql.ts'
import {
  countQuestions,
  listOpenQuestions,
  listOwnQuestions,
  listQuestionsOf,
  loadAnswerer,
  loadMessages,
  type Question as QuestionShape,
  readQuestion,
} from './find-question.ts'
import { canReadAuthors } from './questions.access.ts'
import type { MessageRow } from './questions.db.ts'
import { answerQuestion, askQuestion, closeQuestion, markQuestionRead } from './write-message.ts'

const StateType = builder.enumType('QuestionState', {
  description:
    'Whether a question waits for the organisation (`open`). A new message opens a closed one again.',
  values: QUESTION_STATES,
})

const QuestionMessage = builder.objectRef<MessageRow>('QuestionMessage').implement({
  description: 'A question or an answer: plain text.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'Counts the messages of a question from 1.' }),
    byOrganisation: t.exposeBoolean('by_organisation'),
    isOwn: t.boolean({ resolve: ({ created_by }, _args, { actor }) => created_by === actor.id }),
    authorName: t.string({
      description: 'Null for an institution: of staff, and of a user who has left it.',
      nullable: true,
      resolve: ({ by_organisation, author_name }, _args, { actor }) =>
        by_organisation && !canReadAuthors(actor) ? null : author_name,
    }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    text: t.exposeString('text'),
  }),
})

const Question = builder
  .objectRef<Omit<QuestionShape, 'upload'> & Partial<QuestionShape>>('Question')
  .implement({
    description: 'What an institution asks about a result, with the answers.',
    fields: (t) => ({
      id: t.exposeID('id'),
      uploadId: t.exposeID('upload_id'),
      uploadNumber: t.exposeInt('upload_number', { description: 'The number of the result; for people.' }),
      upload: t.field({
        description:
          'The result; null in answers to changes, if the reader no longer sees it, or if it is of another institution or patient by now.',
        type: Upload,
        nullable: true,
        resolve: ({ upload }) => upload ?? null,
      }),
      institutionName: t.exposeString('institution_name'),
      state: t.expose('state', { type: StateType }),
      createdAt: t.expose('created_at', { type: 'DateTime' }),
      changedAt: t.expose('changed_at', { type: 'DateTime' }),
      waitingSince: t.expose('waiting_since', {
        description: 'Since when it waits for the organisation; null: it does not.',
        type: 'DateTime',
        nullable: true,
      }),
      isUnread: t.exposeBoolean('unread', {
        description:
          'The organisation has answered or closed it, and nobody of the institution has read that.',
      }),
      messageCount: t.exposeInt('message_count'),
      version: t.exposeInt('version', VERSION),
      messages: t.field({
        description: `In order; at most ${LIMITS.questionMessages}.`,
        type: [QuestionMessage],
        resolve: (question, _args, ctx) => loadMessages(ctx, question),
      }),
      answererName: t.string({
        ...staffOrNull,
        description: 'Who should answer: the last reviewer who accepted the upload, else its author.',
        nullable: true,
        resolve: (question, _args, ctx) => loadAnswerer(ctx, question),
      }),
    }),
  })

const QuestionPage = pageType('QuestionPage', Question)

const FILES = { feature: 'patient::files' } as const

builder.queryFields((t) => ({
  questions: t.field({
    description:
      'The questions about an upload, the newest first: for staff those of all institutions, for an institution its own. The reading is recorded.',
    type: [Question],
    authScopes: FILES,
    args: { uploadId: t.arg.id({ required: true }) },
    resolve: (_root, { uploadId }, ctx) => listQuestionsOf(ctx, uploadId),
  }),
  question: t.field({
    description:
      "A question of the reader's institutions, also about a result that was withdrawn. The reading is recorded.",
    type: Question,
    authScopes: { $all: { institution: true, ...FILES } },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readQuestion(ctx, id),
  }),
  ownQuestions: t.field({
    description: "The questions of the reader's institutions, the last changed first.",
    type: QuestionPage,
    authScopes: { $all: { institution: true, ...FILES } },
    args: pageArgs(t),
    resolve: (_root, args, ctx) => listOwnQuestions(ctx, args),
  }),
  openQuestions: t.field({
    description: 'The questions that wait for an answer, the oldest first.',
    type: QuestionPage,
    authScopes: { $all: { staff: true, ...FILES } },
    args: pageArgs(t),
    resolve: (_root, args, ctx) => listOpenQuestions(ctx, args),
  }),
  questionCount: t.int({
    description:
      'For staff, how many questions wait for an answer; for an institution, how many have an unread answer. At most 1,000.',
    authScopes: FILES,
    resolve: (_root, _args, ctx) => countQuestions(ctx),
  }),
}))

builder.mutationFields((t) => ({
  askQuestion: t.field({
    description: `Asks about a result that is released to the reader's institution, or adds to what was asked; at most ${LIMITS.questionText} characters. CONFLICT after ${LIMITS.questionMessages} messages. The same text again is added once.`,
    type: Question,
    authScopes: { $all: { institution: true, ...FILES } },
    args: { uploadId: t.arg.id({ required: true }), text: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => askQuestion(ctx, args),
  }),
  answerQuestion: t.field({
    description: 'Answers a question, also one that was closed. CONFLICT as of `askQuestion`.',
    type: Question,
    authScopes: { $all: { staff: true, ...FILES } },
    args: { id: t.arg.id({ required: true }), text: t.arg.string({ required: true }) },
    resolve: (_root, args, ctx) => answerQuestion(ctx, args),
  }),
  closeQuestion: t.field({
    description: 'Closes a question until there is a new message.',
    type: Question,
    authScopes: FILES,
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => closeQuestion(ctx, args),
  }),
  markQuestionRead: t.field({
    description: "Marks the answers to a question of the reader's institutions as read.",
    type: Question,
    authScopes: { $all: { institution: true, ...FILES } },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => markQuestionRead(ctx, id),
  }),
}))
