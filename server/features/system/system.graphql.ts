import { builder } from '../../graphql/builder.ts'
import { jobLabel } from '../../jobs.ts'
import type { Isolation } from '../../platform/sandbox/isolation.ts'
import type { ForwardedRequest } from '../../platform/untrusted-proxy.ts'
import { readStorage, readSystem, type StorageInfo, type SystemInfo } from './read-system.ts'
import { retryJob } from './retry-job.ts'
import type { DatabaseInfo, FailedJobRow, JobCount } from './system.db.ts'

const SystemDatabase = builder.objectRef<DatabaseInfo>('SystemDatabase').implement({
  authScopes: { admin: true },
  description: 'The state of the database.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'Of PostgreSQL.' }),
    bytes: t.exposeFloat('bytes', { description: 'Bytes on the disk.' }),
    migration: t.exposeString('migration', { description: 'The latest schema migration.' }),
    archiving: t.exposeBoolean('archiving', {
      description:
        'Whether PostgreSQL archives its write-ahead log, so that any point in time can be restored.',
    }),
    lastArchivedAt: t.expose('lastArchivedAt', {
      description: 'Null if nothing was archived.',
      type: 'DateTime',
      nullable: true,
    }),
    lastArchiveFailedAt: t.expose('lastArchiveFailedAt', {
      description: 'Null if it never failed.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const SystemStorage = builder.objectRef<StorageInfo>('SystemStorage').implement({
  authScopes: { admin: true },
  description: 'The space that the files take.',
  fields: (t) => ({
    files: t.exposeInt('files', { description: 'Number of stored files.' }),
    bytes: t.exposeFloat('bytes', { description: 'Bytes of all files.' }),
    free: t.exposeFloat('free', {
      description: 'Free bytes; null if the storage has no known limit.',
      nullable: true,
    }),
  }),
})

const JobCountType = builder.objectRef<JobCount>('JobCount').implement({
  authScopes: { admin: true },
  description: 'How many unfinished jobs of one kind there are.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'A code such as `check-upload`; no enum, since a name may not contain `-`.',
    }),
    label: t.string({
      description: 'The Romanian name of the work; null for a job that this version does not have.',
      nullable: true,
      resolve: ({ name }) => jobLabel(name),
    }),
    waiting: t.exposeInt('waiting', { description: 'Not started yet, also those to be retried.' }),
    active: t.exposeInt('active', { description: 'Running.' }),
    failed: t.exposeInt('failed', { description: 'Not retried any more.' }),
  }),
})

const FailedJob = builder.objectRef<FailedJobRow>('FailedJob').implement({
  authScopes: { admin: true },
  description: 'A job that failed and is not retried.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { description: 'As in `JobCount`.' }),
    label: t.string({
      description: 'As in `JobCount`.',
      nullable: true,
      resolve: ({ name }) => jobLabel(name),
    }),
    tries: t.exposeInt('tries', { description: 'How often it was run.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
    error: t.exposeString('error', {
      description: 'The class or the code of the error; null if unknown.',
      nullable: true,
    }),
  }),
})

const SandboxIsolationType = builder.enumType('SandboxIsolation', {
  description: 'How far the processes that inspect files are separated from the server.',
  values: {
    namespaces: { description: 'They have no network and do not see the data folder.' },
    user: { description: 'They run as another user, but have the network.' },
    none: { description: 'They run as the user of the server and have the network.' },
  } satisfies Record<Isolation, object>,
})

const SystemProxy = builder.objectRef<ForwardedRequest>('SystemProxy').implement({
  description: 'A request with a forwarded address that the server does not trust.',
  fields: (t) => ({
    address: t.exposeString('address', {
      description:
        'The address that the request came from: of a proxy, or of a client that pretends to be one.',
      nullable: true,
    }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
})

const SystemScanner = builder.objectRef<{ version: string | null }>('SystemScanner').implement({
  description: 'The malware scanner.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description: 'Of the scanner and of its signatures; null if it does not respond.',
      nullable: true,
    }),
  }),
})

const System = builder.objectRef<SystemInfo>('System').implement({
  authScopes: { admin: true },
  description: 'The state of the server. It contains no data of patients.',
  fields: (t) => ({
    nodeVersion: t.exposeString('nodeVersion'),
    startedAt: t.expose('startedAt', { description: 'When this process started.', type: 'DateTime' }),
    database: t.field({ type: SystemDatabase, resolve: ({ database }) => database }),
    storage: t.field({
      description: 'Slow with millions of files.',
      type: SystemStorage,
      resolve: (_system, _args, ctx) => readStorage(ctx),
    }),
    jobs: t.field({ type: [JobCountType], resolve: ({ jobs }) => jobs }),
    failedJobs: t.field({
      description: 'The newest 50; further ones are in the log.',
      type: [FailedJob],
      resolve: ({ failedJobs }) => failedJobs,
    }),
    hasMailServer: t.exposeBoolean('hasMailServer', {
      description: 'Whether a mail server is configured; without one mail waits.',
    }),
    sandboxIsolation: t.field({
      description: 'In each case they read only their file, write nothing and start no program.',
      type: SandboxIsolationType,
      resolve: ({ sandboxIsolation }) => sandboxIsolation,
    }),
    untrustedProxy: t.field({
      description:
        'The first request since the start of this process with a forwarded address (X-Forwarded-For, Forwarded) while no proxy is trusted (TRUST_PROXY); null if there was none.',
      type: SystemProxy,
      nullable: true,
      resolve: ({ untrustedProxy }) => untrustedProxy,
    }),
    scanner: t.field({
      description: 'Null if no malware scanner is configured; files are then `unscanned`.',
      type: SystemScanner,
      nullable: true,
      resolve: ({ scanner }) => scanner,
    }),
  }),
})

builder.queryFields((t) => ({
  system: t.field({
    description: 'The state of the server.',
    type: System,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => readSystem(ctx),
  }),
}))

builder.mutationFields((t) => ({
  retryJob: t.field({
    description: 'Runs a failed job again, as if it were new.',
    type: 'Boolean',
    authScopes: { admin: true },
    args: {
      name: t.arg.string({ description: 'As in `JobCount`.', required: true }),
      id: t.arg.id({ required: true }),
    },
    resolve: async (_root, { name, id }, ctx) => {
      await retryJob(ctx, name, id)
      return true
    },
  }),
}))
