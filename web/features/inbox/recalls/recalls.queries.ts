import { graphql, type ResultOf } from '../../../api/graphql.ts'

const RecallFields = graphql(`
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

/** Results that the user's institutions had opened and that are not valid any more; of one upload, or all to be shown. */
export const RECALLS = graphql(
  `
    query Recalls($uploadId: ID) {
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
