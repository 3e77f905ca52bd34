import { useSyncExternalStore } from 'react'
import type { PublicSite } from '../../shared/site/site-settings.ts'
import { getSite, subscribeSite } from './site.ts'

/** Returns the current public settings of the site. */
export const useSite = (): PublicSite => useSyncExternalStore(subscribeSite, getSite)
