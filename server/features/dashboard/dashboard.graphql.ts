import { builder } from '../../graphql/builder.ts'
import { UploadStateType } from '../uploads/upload-enums.graphql.ts'
import type { DayRow, WaitingRow } from './dashboard.db.ts'
import { type Dashboard as DashboardDetails, readDashboard } from './read-dashboard.ts'

const Waiting = builder.objectRef<WaitingRow>('Waiting').implement({
  fields: (t) => ({
    state: t.expose('state', { type: UploadStateType }),
    count: t.exposeInt('count'),
    oldest: t.expose('oldest', { type: 'DateTime', nullable: true }),
  }),
})

const UploadsOfDay = builder.objectRef<DayRow>('UploadsOfDay').implement({
  fields: (t) => ({ day: t.expose('day', { type: 'Date' }), count: t.exposeInt('count') }),
})

const Dashboard = builder.objectRef<DashboardDetails>('Dashboard').implement({
  fields: (t) => ({
    waiting: t.field({ type: [Waiting], resolve: ({ waiting }) => waiting }),
    acceptedToday: t.exposeInt('acceptedToday'),
    rejectedToday: t.exposeInt('rejectedToday'),
    /** In the last 30 days. */
    released: t.exposeInt('released'),
    unopened: t.exposeInt('unopened'),
    /** The last 30 days, without days that have no uploads. */
    perDay: t.field({ type: [UploadsOfDay], resolve: ({ perDay }) => perDay }),
  }),
})

builder.queryFields((t) => ({
  dashboard: t.field({
    type: Dashboard,
    authScopes: { feature: 'admin::review-files' },
    resolve: (_root, _args, ctx) => readDashboard(ctx),
  }),
}))
