import { graphql, type ResultOf } from '../../api/graphql.ts'

export const DASHBOARD = graphql(`
  query Dashboard {
    dashboard {
      waiting {
        state
        count
        oldest
      }
      acceptedToday
      rejectedToday
      released
      unopened
      unopenedLong
      alarms {
        failedMails
        incidents
        incidentSince
        isChainBroken
      }
      perDay {
        day
        count
      }
    }
  }
`)

export type DashboardFigures = ResultOf<typeof DASHBOARD>['dashboard']
