import { useSubscription } from '@apollo/client/react'
import { useEffect, useRef } from 'react'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { onReconnected } from '../../api/socket.ts'

const SITE_CHANGED = graphql(`
  subscription SiteChanged {
    siteChanged
  }
`)

export type SiteChange = ResultOf<typeof SITE_CHANGED>['siteChanged']

/**
 * Calls what reads anew the settings, the categories or the own account when somebody has changed them, and all three
 * after a break, in which something may have been missed.
 */
export function useSiteChanges(readAnew: (change: SiteChange) => void): void {
  const latest = useRef(readAnew)
  latest.current = readAnew
  const { error, restart } = useSubscription(SITE_CHANGED, {
    onData: ({ data: { data } }) => {
      if (data) latest.current(data.siteChanged)
    },
  })

  // Gone for longer than the socket tries to come back [9.6]: whoever looks at the page again starts it anew.
  const revive = useRef(() => {})
  revive.current = () => {
    if (error) restart()
  }

  useEffect(() => {
    const readAll = () => {
      for (const change of ['SITE', 'CATEGORIES', 'ACCOUNT'] as const) latest.current(change)
    }
    const onLook = () => {
      if (document.visibilityState === 'visible') revive.current()
    }
    document.addEventListener('visibilitychange', onLook)
    const stopListening = onReconnected(readAll)
    return () => {
      stopListening()
      document.removeEventListener('visibilitychange', onLook)
    }
  }, [])
}
