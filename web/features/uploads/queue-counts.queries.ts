import { graphql } from '../../api/graphql.ts'

export const QUEUE_COUNTS = graphql(`
  query QueueCounts {
    queueCounts {
      state
      count
    }
  }
`)
