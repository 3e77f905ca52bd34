import { useSyncExternalStore } from 'react'
import type { PublicSite } from '../../shared/site/site-settings.ts'
import { getSite, subscribeSite } from './site.ts'

/** The site's public settings, as they are by now. */
export const useSite = (): PublicSite => useSyncExternalStore(subscribeSite, getSite)
