import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts'

const OperationLine = graphql(`
  fragment OperationLine on Operation {
    id
    number
    kind
    target
    state
    total
    counts {
      outcome
      reason
      message
      count
    }
    createdAt
    version
    isOwn
    isContinuable
    isUndoable
  }
`)
export type OperationLine = ResultOf<typeof OperationLine>

export const OPERATIONS = graphql(
  `
    query Operations($after: String) {
      operations(first: 10, after: $after) {
        endCursor
        nodes {
          ...OperationLine
        }
      }
    }
  `,
  [OperationLine],
)

export const OPERATION = graphql(
  `
    query Operation($id: ID!) {
      operation(id: $id) {
        ...OperationLine
      }
    }
  `,
  [OperationLine],
)

export const OPERATION_ITEMS = graphql(`
  query OperationItems($id: ID!, $outcome: OperationItemOutcome, $after: String) {
    operation(id: $id) {
      id
      items(outcome: $outcome, after: $after) {
        endCursor
        nodes {
          uploadId
          number
          outcome
          message
        }
      }
    }
  }
`)
export type OperationItem = ResultOf<typeof OPERATION_ITEMS>['operation']['items']['nodes'][number]

export const PLAN_OPERATION = graphql(
  `
    mutation PlanOperation(
      $kind: OperationKind!
      $selection: OperationSelection!
      $parameters: OperationParameters
    ) {
      planOperation(kind: $kind, selection: $selection, parameters: $parameters) {
        ...OperationLine
      }
    }
  `,
  [OperationLine],
)
export type OperationSelection = VariablesOf<typeof PLAN_OPERATION>['selection']

export const START_OPERATION = graphql(
  `
    mutation StartOperation($id: ID!, $version: Int!) {
      startOperation(id: $id, version: $version) {
        ...OperationLine
      }
    }
  `,
  [OperationLine],
)

export const CANCEL_OPERATION = graphql(
  `
    mutation CancelOperation($id: ID!) {
      cancelOperation(id: $id) {
        ...OperationLine
      }
    }
  `,
  [OperationLine],
)

export const UNDO_OPERATION = graphql(
  `
    mutation UndoOperation($id: ID!, $version: Int!) {
      undoOperation(id: $id, version: $version) {
        ...OperationLine
      }
    }
  `,
  [OperationLine],
)
