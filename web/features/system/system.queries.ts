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
      sandboxIsolation
      untrustedProxy {
        address
        at
      }
      scanner {
        version
      }
      database {
        version
        bytes
        migration
        archiving
        lastArchivedAt
        lastArchiveFailedAt
      }
      jobs {
        name
        label
        waiting
        active
        failed
      }
      failedJobs {
        id
        name
        label
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
  mutation RetryJob($name: String!, $id: ID!) {
    retryJob(name: $name, id: $id)
  }
`)

export type SystemDetails = ResultOf<typeof SYSTEM>['system']
export type StorageDetails = ResultOf<typeof SystemStorage>['storage']
