import { graphql, type ResultOf } from '../../api/graphql.ts'

const Conversation = graphql(`
  fragment Conversation on Question {
    id
    uploadId
    uploadNumber
    institutionName
    state
    isUnread
    messageCount
    version
    messages {
      position
      byOrganisation
      isOwn
      authorName
      createdAt
      text
    }
  }
`)
export type Conversation = ResultOf<typeof Conversation>

/** A question as it is read beside its upload. */
export const UPLOAD_QUESTION = graphql(
  `
    fragment UploadQuestion on Question {
      ...Conversation
      upload {
        id
      }
    }
  `,
  [Conversation],
)
export type UploadQuestion = ResultOf<typeof UPLOAD_QUESTION>

export const QUESTIONS = graphql(
  `
    query Questions($uploadId: ID!) {
      questions(uploadId: $uploadId) {
        ...UploadQuestion
      }
    }
  `,
  [UPLOAD_QUESTION],
)

export const QUESTION = graphql(
  `
    query Question($id: ID!) {
      question(id: $id) {
        ...Conversation
        upload {
          id
        }
      }
    }
  `,
  [Conversation],
)

export const ASK_QUESTION = graphql(
  `
    mutation AskQuestion($uploadId: ID!, $text: String!) {
      askQuestion(uploadId: $uploadId, text: $text) {
        ...Conversation
      }
    }
  `,
  [Conversation],
)

export const ANSWER_QUESTION = graphql(
  `
    mutation AnswerQuestion($id: ID!, $text: String!) {
      answerQuestion(id: $id, text: $text) {
        ...Conversation
      }
    }
  `,
  [Conversation],
)

export const CLOSE_QUESTION = graphql(
  `
    mutation CloseQuestion($id: ID!, $version: Int!) {
      closeQuestion(id: $id, version: $version) {
        ...Conversation
      }
    }
  `,
  [Conversation],
)

export const MARK_QUESTION_READ = graphql(`
  mutation MarkQuestionRead($id: ID!) {
    markQuestionRead(id: $id) {
      id
      isUnread
    }
  }
`)

export const OWN_QUESTIONS = graphql(`
  query OwnQuestions($after: String) {
    ownQuestions(after: $after) {
      endCursor
      nodes {
        id
        uploadNumber
        state
        isUnread
        messageCount
        changedAt
        upload {
          id
          title
          patient {
            id
            name
          }
        }
      }
    }
  }
`)
export type OwnQuestion = ResultOf<typeof OWN_QUESTIONS>['ownQuestions']['nodes'][number]

export const OPEN_QUESTIONS = graphql(`
  query OpenQuestions($after: String) {
    openQuestions(after: $after) {
      endCursor
      nodes {
        id
        uploadId
        uploadNumber
        institutionName
        waitingSince
        answererName
        upload {
          id
          title
          patient {
            id
            name
          }
        }
      }
    }
  }
`)
export type OpenQuestion = ResultOf<typeof OPEN_QUESTIONS>['openQuestions']['nodes'][number]

/** For an institution: how many of its questions have an unread answer. */
export const UNREAD_ANSWERS = graphql(`
  query UnreadAnswers {
    questionCount
  }
`)

export const REQUEST_COUNTS = graphql(`
  query RequestCounts($withQuestions: Boolean!) {
    accessRequestCount
    questionCount @include(if: $withQuestions)
  }
`)
