import { TURNAROUND_DAYS } from '../../../../shared/uploads/upload-state-list.ts'
import { builder } from '../../../graphql/builder.ts'
import { TurnaroundStepType } from '../upload-enums.graphql.ts'
import {
  type TurnaroundGroup as GroupDetails,
  readTurnaround,
  type TurnaroundStepFigures as StepDetails,
  type Turnaround as TurnaroundDetails,
} from './read-turnaround.ts'

const authScopes = { feature: 'admin::review-files' } as const

const StepFigures = builder.objectRef<StepDetails>('TurnaroundFigures').implement({
  authScopes,
  description: 'How long one step of some results took.',
  fields: (t) => ({
    step: t.expose('step', { type: TurnaroundStepType }),
    measured: t.exposeInt('measured', {
      description: 'Results whose step has ended, or is late; not those of which an end is not known.',
    }),
    late: t.exposeInt('late', {
      description:
        'Those of `measured` that took longer than the target, or have waited longer for their opening.',
    }),
    targetMinutes: t.exposeInt('targetMinutes'),
    medianMinutes: t.exposeInt('medianMinutes', {
      description: 'Of the steps that have ended; null without any. Whole days for the step `filing`.',
      nullable: true,
    }),
    ninetiethMinutes: t.exposeInt('ninetiethMinutes', {
      description: 'The time in which nine of ten have ended; null without any.',
      nullable: true,
    }),
  }),
})

const Group = builder.objectRef<GroupDetails>('TurnaroundGroup').implement({
  authScopes,
  description: 'The results of a main category or of an institution.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The slug or the id; null for results without one.',
      nullable: true,
    }),
    name: t.exposeString('name', { description: 'Null for results without one.', nullable: true }),
    released: t.exposeInt('released'),
    steps: t.expose('steps', { type: [StepFigures] }),
  }),
})

const Turnaround = builder.objectRef<TurnaroundDetails>('Turnaround').implement({
  authScopes,
  description: 'How long results took that were released in a period. Names no patient.',
  fields: (t) => ({
    since: t.expose('since', { description: 'The first day of the period, in Romania.', type: 'Date' }),
    released: t.exposeInt('released', {
      description: 'The results that `uploads` lists as released since that day with the same filter.',
    }),
    steps: t.expose('steps', { type: [StepFigures] }),
    byCategory: t.expose('byCategory', {
      description: 'By main category, the largest 50; empty with a category.',
      type: [Group],
    }),
    byInstitution: t.expose('byInstitution', {
      description: 'By institution, the largest 50; empty with an institution.',
      type: [Group],
    }),
  }),
})

builder.queryFields((t) => ({
  turnaround: t.field({
    description: 'How long results took from the examination to their first opening.',
    type: Turnaround,
    authScopes,
    args: {
      days: t.arg.int({
        description: `The last days, today included: ${TURNAROUND_DAYS.join(', ')}.`,
        required: true,
      }),
      category: t.arg.string({ description: 'A slug, with its subcategories.' }),
      institutionId: t.arg.id(),
    },
    resolve: (_root, args, ctx) => readTurnaround(ctx, args),
  }),
}))
