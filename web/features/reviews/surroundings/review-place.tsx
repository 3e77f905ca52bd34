import { LIMITS } from '../../../../shared/limits.ts'
import { boundedCount } from '../../../../shared/romania/romanian.ts'
import type { Upload } from '../upload.queries.ts'
import { useSurroundings } from './use-surroundings.ts'

/** The place among those that wait for a verdict: `7 din 31`; nothing where the upload does not wait, and beyond what is counted. */
export function ReviewPlace({ upload }: { upload: Upload }) {
  const { place } = useSurroundings(upload, 'cache-only')
  if (!place || place.place >= LIMITS.shownCount) return null
  return (
    <span className="tabular-nums">
      {place.place} din {boundedCount(place.count, LIMITS.shownCount)}
    </span>
  )
}
