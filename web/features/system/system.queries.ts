import { graphql, type ResultOf } from '../../api/graphql.ts'

const SystemStorage = graphql(`
  fragment SystemStorage on System {
    storage {
      files
      bytes
      free
    }
  }
`)

/** The storage is counted file by file, so it arrives as an incremental result [7.8]. */
export const SYSTEM = graphql(
  `
  query System {
    system {
      nodeVersion
      startedAt
      hasMailServer
      database {
        version
        bytes
        migration
        archiving
        lastArchivedAt
        lastArchiveFailedAt
      }
      jobs {
        kind
        waiting
        active
        failed
      }
      failedJobs {
        id
        kind
        tries
        failedAt
        error
      }
      ...SystemStorage @defer
    }
  }
`,
  [SystemStorage],
)

export const RETRY_JOB = graphql(`
  mutation RetryJob($kind: String!, $id: ID!) {
    retryJob(kind: $kind, id: $id)
  }
`)

export type SystemDetails = ResultOf<typeof SYSTEM>['system']
export type StorageDetails = ResultOf<typeof SystemStorage>['storage']
