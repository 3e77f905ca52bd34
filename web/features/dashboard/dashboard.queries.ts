import { graphql, type ResultOf } from '../../api/graphql.ts'

/** With what `useRequestCounts` reads from the cache, which would otherwise arrive later and move the figures. */
export const DASHBOARD = graphql(`
  query Dashboard($withQuestions: Boolean!) {
    accessRequestCount
    questionCount @include(if: $withQuestions)
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

const TURNAROUND_STEPS_FRAGMENT = graphql(`
  fragment TurnaroundSteps on TurnaroundFigures {
    step
    measured
    late
    targetMinutes
    medianMinutes
    ninetiethMinutes
  }
`)

export const TURNAROUND = graphql(
  `
    query Turnaround($days: Int!, $category: String, $institutionId: ID) {
      turnaround(days: $days, category: $category, institutionId: $institutionId) {
        since
        released
        steps {
          ...TurnaroundSteps
        }
        byCategory {
          key
          name
          released
          steps {
            ...TurnaroundSteps
          }
        }
        byInstitution {
          key
          name
          released
          steps {
            ...TurnaroundSteps
          }
        }
      }
    }
  `,
  [TURNAROUND_STEPS_FRAGMENT],
)

export type TurnaroundFigures = ResultOf<typeof TURNAROUND>['turnaround']
export type StepFigures = TurnaroundFigures['steps'][number]
export type TurnaroundGroup = TurnaroundFigures['byCategory'][number]

export const WORK_OF_PEOPLE = graphql(`
  query WorkOfPeople($days: Int!) {
    workOfPeople(days: $days) {
      id
      name
      filed
      accepted
      rejected
    }
  }
`)

export type PersonWork = ResultOf<typeof WORK_OF_PEOPLE>['workOfPeople'][number]
