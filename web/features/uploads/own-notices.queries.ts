import { graphql, type ResultOf } from '../../api/graphql.ts'

export const OWN_NOTICES = graphql(`
  query OwnNotices {
    ownNotices {
      uploadId
      number
      why
    }
  }
`)
export type OwnNotice = ResultOf<typeof OWN_NOTICES>['ownNotices'][number]
