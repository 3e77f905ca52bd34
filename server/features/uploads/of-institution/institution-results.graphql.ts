import { INSTITUTION_FIGURES } from '../../../../shared/institutions.ts'
import { builder } from '../../../graphql/builder.ts'
import { pageArgs } from '../../../graphql/connections.ts'
import { UploadPage } from '../uploads.graphql.ts'
import {
  type InstitutionFigures,
  listInstitutionResults,
  readInstitutionFigures,
} from './list-institution-results.ts'

const { days, daysLong, countMax } = INSTITUTION_FIGURES
const ofDays = (period: number) =>
  `Minutes from release to first opening, the median of the results of the last ${period} days that were opened, at most the newest ${countMax}; null without any.`

const Figures = builder.objectRef<InstitutionFigures>('InstitutionFigures').implement({
  authScopes: { staff: true },
  description: 'Figures of the results released to an institution. They name no patient.',
  fields: (t) => ({
    released: t.exposeInt('released', {
      description: `Results released in the last ${days} days; ${countMax} means that many or more.`,
    }),
    unopened: t.exposeInt('unopened', {
      description: `Results that no user of the institution has opened, of any age; ${countMax} means that many or more.`,
    }),
    oldestUnopenedAt: t.expose('oldestUnopenedAt', {
      description: 'When the oldest of `unopened` was released; null if there are none.',
      type: 'DateTime',
      nullable: true,
    }),
    medianToOpening: t.exposeInt('medianToOpening', { description: ofDays(days), nullable: true }),
    medianToOpeningLong: t.exposeInt('medianToOpeningLong', {
      description: ofDays(daysLong),
      nullable: true,
    }),
  }),
})

const STAFF_WITH_FILES = { $all: { staff: true, feature: 'patient::files' } } as const

builder.queryFields((t) => ({
  institutionResults: t.field({
    description: 'The results released to an institution, newest first.',
    type: UploadPage,
    authScopes: STAFF_WITH_FILES,
    args: {
      ...pageArgs(t),
      institutionId: t.arg.id({ required: true }),
      days: t.arg.int({
        description: 'Only those of this many last days in Romania, today included; all if omitted.',
      }),
      olderThan: t.arg.int({
        description: 'Only those released this many days ago or earlier, by days in Romania; all if omitted.',
      }),
      opened: t.arg.boolean({
        description: 'Only those that a user of the institution has opened, or only the others.',
      }),
    },
    resolve: (_root, args, ctx) => listInstitutionResults(ctx, args),
  }),
  institutionFigures: t.field({
    description: "The figures of an institution's results.",
    type: Figures,
    authScopes: STAFF_WITH_FILES,
    args: { institutionId: t.arg.id({ required: true }) },
    resolve: (_root, { institutionId }, ctx) => readInstitutionFigures(ctx, institutionId),
  }),
}))
