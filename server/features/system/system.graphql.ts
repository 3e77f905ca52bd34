import { builder } from '../../graphql/builder.ts'
import { readStorage, readSystem, type StorageInfo, type SystemInfo } from './read-system.ts'
import { retryJob } from './retry-job.ts'
import type { DatabaseInfo, FailedJobRow, JobCount } from './system.db.ts'

const SystemDatabase = builder.objectRef<DatabaseInfo>('SystemDatabase').implement({
  fields: (t) => ({
    version: t.exposeString('version'),
    bytes: t.exposeFloat('bytes'),
    /** The latest schema migration. */
    migration: t.exposeString('migration'),
    archiving: t.exposeBoolean('archiving'),
    lastArchivedAt: t.expose('lastArchivedAt', { type: 'DateTime', nullable: true }),
    lastArchiveFailedAt: t.expose('lastArchiveFailedAt', { type: 'DateTime', nullable: true }),
  }),
})

const SystemStorage = builder.objectRef<StorageInfo>('SystemStorage').implement({
  fields: (t) => ({
    files: t.exposeInt('files'),
    bytes: t.exposeFloat('bytes'),
    free: t.exposeFloat('free', { nullable: true }),
  }),
})

const JobCountType = builder.objectRef<JobCount>('JobCount').implement({
  fields: (t) => ({
    kind: t.exposeString('kind'),
    waiting: t.exposeInt('waiting'),
    active: t.exposeInt('active'),
    failed: t.exposeInt('failed'),
  }),
})

const FailedJob = builder.objectRef<FailedJobRow>('FailedJob').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    tries: t.exposeInt('tries'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
    error: t.exposeString('error', { nullable: true }),
  }),
})

const System = builder.objectRef<SystemInfo>('System').implement({
  fields: (t) => ({
    nodeVersion: t.exposeString('nodeVersion'),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    database: t.field({ type: SystemDatabase, resolve: ({ database }) => database }),
    storage: t.field({ type: SystemStorage, resolve: (_system, _args, ctx) => readStorage(ctx) }),
    jobs: t.field({ type: [JobCountType], resolve: ({ jobs }) => jobs }),
    failedJobs: t.field({ type: [FailedJob], resolve: ({ failedJobs }) => failedJobs }),
    hasMailServer: t.exposeBoolean('hasMailServer'),
  }),
})

builder.queryFields((t) => ({
  system: t.field({
    type: System,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => readSystem(ctx),
  }),
}))

builder.mutationFields((t) => ({
  /** Retries a failed job. */
  retryJob: t.field({
    type: 'Boolean',
    authScopes: { admin: true },
    args: { kind: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: async (_root, { kind, id }, ctx) => {
      await retryJob(ctx, kind, id)
      return true
    },
  }),
}))
