import { graphql, type ResultOf } from '../../../api/graphql.ts'

export const RecallFields = graphql(`
  fragment RecallFields on Recall {
    id
    uploadId
    uploadNumber
    kind
    recalledAt
    replacementId
    patientName
    title
    examinedOn
    releasedAt
    institutionName
    openings {
      name
      acts {
        kind
        firstAt
        lastAt
      }
    }
    acknowledgedAt
    acknowledgedByName
  }
`)
export type Recall = ResultOf<typeof RecallFields>

/** The results that the user's institutions had opened and that are not valid any more, to be shown above the inbox. */
export const RECALLS = graphql(
  `
    query Recalls {
      recalls {
        ...RecallFields
      }
    }
  `,
  [RecallFields],
)

/** The same of one upload. */
export const RECALLS_OF_UPLOAD = graphql(
  `
    query RecallsOfUpload($uploadId: ID!) {
      recalls(uploadId: $uploadId) {
        ...RecallFields
      }
    }
  `,
  [RecallFields],
)

export const ACKNOWLEDGE_RECALL = graphql(
  `
    mutation AcknowledgeRecall($id: ID!) {
      acknowledgeRecall(id: $id) {
        ...RecallFields
      }
    }
  `,
  [RecallFields],
)
