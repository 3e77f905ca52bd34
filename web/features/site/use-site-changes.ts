import { useSubscription } from '@apollo/client/react'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { useResubscribe } from '../../api/use-resubscribe.ts'

const SITE_CHANGED = graphql(`
  subscription SiteChanged {
    siteChanged
  }
`)

export type SiteChange = ResultOf<typeof SITE_CHANGED>['siteChanged']

const SITE_CHANGES = [
  'SITE',
  'CATEGORIES',
  'ACCOUNT',
  'OWN_UPLOADS',
  'ACCESS_REQUESTS',
  'QUESTIONS',
  'NEWS',
  'SHARES',
  'NOTIFICATIONS',
] as const satisfies readonly SiteChange[]

/**
 * Calls `reload` with each kind of data that has changed, and with all kinds after a break, in which events may have been
 * missed.
 */
export function useSiteChanges(reload: (change: SiteChange) => void): void {
  const subscription = useSubscription(SITE_CHANGED, {
    onData: ({ data: { data } }) => {
      if (data) reload(data.siteChanged)
    },
  })
  useResubscribe(subscription, () => {
    for (const change of SITE_CHANGES) reload(change)
  })
}
