import { graphql, type ResultOf } from '../../api/graphql.ts'

export const SYSTEM = graphql(`
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
      storage {
        files
        bytes
        free
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
    }
  }
`)

export const RETRY_JOB = graphql(`
  mutation RetryJob($kind: String!, $id: ID!) {
    retryJob(kind: $kind, id: $id)
  }
`)

export type SystemFacts = ResultOf<typeof SYSTEM>['system']
