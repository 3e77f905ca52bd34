import { graphql, type ResultOf } from '../../api/graphql.ts'

/** An entry as every reader sees it; the names are of staff, for staff alone. */
export const NewsEntry = graphql(`
  fragment NewsEntry on News {
    id
    kind
    text
    visibility
    pinnedUntil
    isPinned
    revision
    writtenAt
    writerName
    isUnread
    version
  }
`)
export type NewsEntry = ResultOf<typeof NewsEntry>

export const PATIENT_NEWS = graphql(
  `
    query PatientNews($patientId: ID!) {
      patientNews(patientId: $patientId) {
        ...NewsEntry
      }
    }
  `,
  [NewsEntry],
)

/** What entries said before, and who has read them. */
export const NEWS_HISTORY = graphql(`
  query NewsHistory($patientId: ID!) {
    patientNews(patientId: $patientId) {
      id
      createdAt
      authorName
      former {
        revision
        kind
        text
        visibility
        writerName
        writtenAt
      }
      readings {
        name
        readAt
        isCurrent
      }
    }
  }
`)

export const REMOVED_NEWS = graphql(`
  query RemovedNews($patientId: ID!, $removed: Boolean) {
    patientNews(patientId: $patientId, removed: $removed) {
      id
      kind
      text
      removedAt
      removedByName
    }
  }
`)

export const CREATE_NEWS = graphql(
  `
    mutation CreateNews($patientId: ID!, $news: NewsInput!, $pinnedUntil: Date, $shownTo: [ID!]!) {
      createNews(patientId: $patientId, news: $news, pinnedUntil: $pinnedUntil, shownTo: $shownTo) {
        ...NewsEntry
      }
    }
  `,
  [NewsEntry],
)

export const EDIT_NEWS = graphql(
  `
    mutation EditNews($id: ID!, $version: Int!, $news: NewsInput!, $shownTo: [ID!]!) {
      editNews(id: $id, version: $version, news: $news, shownTo: $shownTo) {
        ...NewsEntry
      }
    }
  `,
  [NewsEntry],
)

export const PIN_NEWS = graphql(
  `
    mutation PinNews($id: ID!, $version: Int!, $until: Date) {
      pinNews(id: $id, version: $version, until: $until) {
        ...NewsEntry
      }
    }
  `,
  [NewsEntry],
)

export const REMOVE_NEWS = graphql(`
  mutation RemoveNews($id: ID!, $version: Int!) {
    removeNews(id: $id, version: $version)
  }
`)

export const MARK_NEWS_READ = graphql(`
  mutation MarkNewsRead($readings: [NewsReadingInput!]!) {
    markNewsRead(readings: $readings) {
      id
      isUnread
    }
  }
`)
