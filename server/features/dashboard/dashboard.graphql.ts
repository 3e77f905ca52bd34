import { LIMITS } from '../../../shared/limits.ts'
import { builder } from '../../graphql/builder.ts'
import { UploadStateType } from '../uploads/upload-enums.graphql.ts'
import type { DayRow, WaitingRow } from './dashboard.db.ts'
import {
  type Alarms as AlarmDetails,
  type Dashboard as DashboardDetails,
  readDashboard,
} from './read-dashboard.ts'

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
      description: `Mails of the last ${LIMITS.alarmDays} days that will not be sent any more; counted up to ${LIMITS.shownCount}.`,
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
      description: 'Acceptances since midnight in Romania; the first of two acceptances does not count.',
    }),
    rejectedToday: t.exposeInt('rejectedToday', { description: 'Rejections since midnight in Romania.' }),
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

builder.queryFields((t) => ({
  dashboard: t.field({
    description: 'The figures of the dashboard.',
    type: Dashboard,
    authScopes: { feature: 'admin::review-files' },
    resolve: (_root, _args, ctx) => readDashboard(ctx),
  }),
}))
