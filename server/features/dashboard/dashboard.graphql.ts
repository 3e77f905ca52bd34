import { LIMITS } from '../../../shared/limits.ts'
import { TURNAROUND_DAYS } from '../../../shared/uploads/upload-state-list.ts'
import { builder } from '../../graphql/builder.ts'
import { UploadStateType } from '../uploads/upload-enums.graphql.ts'
import type { DayRow, WaitingRow } from './dashboard.db.ts'
import {
  type Alarms as AlarmDetails,
  type Dashboard as DashboardDetails,
  readDashboard,
} from './read-dashboard.ts'
import { type PersonWork as PersonWorkDetails, readWork } from './read-work.ts'

const Waiting = builder.objectRef<WaitingRow>('Waiting').implement({
  authScopes: { feature: 'admin::review-files' },
  description: 'The uploads in one state.',
  fields: (t) => ({
    state: t.expose('state', { type: UploadStateType }),
    count: t.exposeInt('count'),
    oldest: t.expose('oldest', {
      description: 'Since when the longest waiting has been in this state; null if there are none.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const UploadsOfDay = builder.objectRef<DayRow>('UploadsOfDay').implement({
  authScopes: { feature: 'admin::review-files' },
  description: 'The uploads created on one day in Romania, withdrawn ones included.',
  fields: (t) => ({ day: t.expose('day', { type: 'Date' }), count: t.exposeInt('count') }),
})

const Alarms = builder.objectRef<AlarmDetails>('Alarms').implement({
  authScopes: { admin: true },
  description: 'What only administrators can mend.',
  fields: (t) => ({
    failedMails: t.exposeInt('failedMails', {
      description: `Mails of the last ${LIMITS.alarmDays} days that have failed, without those that the product has ended itself; counted up to ${LIMITS.shownCount}.`,
    }),
    incidents: t.int({
      description: 'Open incidents whose notice to the authority is not decided.',
      resolve: ({ incidents }) => incidents.count,
    }),
    incidentSince: t.field({
      description: 'When the first of `incidents` was discovered; null if there are none.',
      type: 'DateTime',
      nullable: true,
      resolve: ({ incidents }) => incidents.oldest,
    }),
    isChainBroken: t.exposeBoolean('isChainBroken', {
      description: 'Whether the last verification found that the audit log is no longer as it was written.',
    }),
  }),
})

const Dashboard = builder.objectRef<DashboardDetails>('Dashboard').implement({
  authScopes: { feature: 'admin::review-files' },
  description: 'Figures about all uploads. They name no patient.',
  fields: (t) => ({
    waiting: t.field({
      description: 'The states in which uploads still need work; a state without uploads is left out.',
      type: [Waiting],
      resolve: ({ waiting }) => waiting,
    }),
    acceptedToday: t.exposeInt('acceptedToday', {
      description:
        'Acceptances since midnight in Romania, as the audit log lists them: undone ones count, the first of two does not.',
    }),
    rejectedToday: t.exposeInt('rejectedToday', {
      description: 'Rejections since midnight in Romania, undone ones too.',
    }),
    released: t.exposeInt('released', {
      description: `Uploads released in the last ${LIMITS.dashboardDays} days.`,
    }),
    unopened: t.exposeInt('unopened', {
      description: 'Those of `released` that no user of their institution has opened.',
    }),
    unopenedLong: t.exposeInt('unopenedLong', {
      description: `Those of \`unopened\` released ${LIMITS.alarmDays} days ago or earlier.`,
    }),
    alarms: t.field({
      description: 'Null for readers who are no administrators.',
      type: Alarms,
      nullable: true,
      resolve: ({ alarms }) => alarms,
    }),
    perDay: t.field({
      description: `The last ${LIMITS.dashboardDays} days, without days that have no uploads.`,
      type: [UploadsOfDay],
      resolve: ({ perDay }) => perDay,
    }),
  }),
})

const PersonWork = builder.objectRef<PersonWorkDetails>('PersonWork').implement({
  authScopes: { admin: true },
  description:
    'What one account did in a period, as the audit log lists it; verdicts that were undone count.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    filed: t.exposeInt('filed'),
    accepted: t.exposeInt('accepted'),
    rejected: t.exposeInt('rejected'),
  }),
})

builder.queryFields((t) => ({
  workOfPeople: t.field({
    description: 'What each account did, those with most first.',
    type: [PersonWork],
    authScopes: { admin: true },
    args: {
      days: t.arg.int({
        description: `The last days, today included: ${TURNAROUND_DAYS.join(', ')}.`,
        required: true,
      }),
    },
    resolve: (_root, { days }, ctx) => readWork(ctx, days),
  }),
  dashboard: t.field({
    description: 'The figures of the dashboard.',
    type: Dashboard,
    authScopes: { feature: 'admin::review-files' },
    resolve: (_root, _args, ctx) => readDashboard(ctx),
  }),
}))
