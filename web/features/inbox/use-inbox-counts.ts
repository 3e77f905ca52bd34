import { useQuery } from '@apollo/client/react'
import { useEffect } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { boundedCount, counted } from '../../../shared/romania/romanian.ts'
import { FROM_CACHE } from '../../api/from-cache.ts'
import { useSite } from '../../session/use-site.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { INBOX_COUNTS } from './inbox.queries.ts'

const COUNT_BATCH_MS = 300

/** Returns how many results wait, kept up to date also while the page is hidden; null until `InstitutionHome` has loaded them. */
export function useInboxCounts(hasFiles: boolean) {
  const { data, refetch } = useQuery(INBOX_COUNTS, FROM_CACHE)
  useLiveUploads(
    () => {
      if (hasFiles) void refetch().catch(() => undefined)
    },
    { batchMs: COUNT_BATCH_MS, whileHidden: true },
  )
  return data?.inboxCounts ?? null
}

/** Returns the number as text: `12`, or `99+` for more than are counted. */
export const countText = (count: number): string => boundedCount(count, LIMITS.shownCount)

/** Returns „12 · 3 ale mele”; empty if nothing waits. */
export function describeCounts({ open, mine }: { open: number; mine: number }): string {
  if (open === 0) return ''
  return mine === 0 ? countText(open) : `${countText(open)} · ${countText(mine)} ale mele`
}

/** Returns „3 rezultate mai vechi sunt încă nepreluate.”: from before the reader joined the institution. */
export function describeOlder(count: number): string {
  if (count === 1) return 'Un rezultat mai vechi este încă nepreluat.'
  const older = counted(Math.min(count, LIMITS.shownCount - 1), 'rezultat mai vechi', 'rezultate mai vechi')
  return `${count < LIMITS.shownCount ? '' : 'Peste '}${older} sunt încă nepreluate.`
}

/** Shows the text in front of the page's title, until the screen is left. */
export function useTitlePrefix(prefix: string): void {
  const { title } = useSite()
  useEffect(() => {
    if (prefix === '') return
    document.title = `(${prefix}) ${title}`
    return () => {
      document.title = title
    }
  }, [prefix, title])
}
