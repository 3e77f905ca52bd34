import { useSubscription } from '@apollo/client/react'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { useResubscribe } from '../../api/use-resubscribe.ts'

const SITE_CHANGED = graphql(`
  subscription SiteChanged {
    siteChanged
  }
`)

export type SiteChange = ResultOf<typeof SITE_CHANGED>['siteChanged']

/**
 * Calls `reload` when the settings, the categories, the own account or own uploads have changed, and for all after a
 * break, in which events may have been missed.
 */
export function useSiteChanges(reload: (change: SiteChange) => void): void {
  const subscription = useSubscription(SITE_CHANGED, {
    onData: ({ data: { data } }) => {
      if (data) reload(data.siteChanged)
    },
  })
  useResubscribe(subscription, () => {
    for (const change of ['SITE', 'CATEGORIES', 'ACCOUNT', 'OWN_UPLOADS'] as const) reload(change)
  })
}
