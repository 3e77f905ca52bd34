import { graphql, type ResultOf } from '../../api/graphql.ts'

const STATE = graphql(`
  fragment SettingsState on SiteSettings {
    values
    version
    savedAt
    savedBy
    hasProvider
  }
`)

export type SettingsState = ResultOf<typeof STATE>

export const SITE_SETTINGS = graphql(
  `
    query SiteSettings {
      siteSettings {
        ...SettingsState
      }
    }
  `,
  [STATE],
)

export const SAVE_SETTINGS = graphql(
  `
    mutation SaveSettings($version: Int!, $changes: JSON!) {
      saveSettings(version: $version, changes: $changes) {
        ...SettingsState
      }
    }
  `,
  [STATE],
)

export const TRY_WORDS = graphql(`
  query ProposedCategory($text: String!) {
    proposedCategory(text: $text) {
      slug
      name
    }
  }
`)
