import { startTransition, useEffect, useRef } from 'react'
import { client } from '../../api/client.ts'
import { whenIdle } from '../../loading/when-idle.ts'
import { preloadFile } from '../preview/preload-file.ts'
import { UPLOAD } from './upload.queries.ts'

/** Reads an upload into the cache, so that it is shown as it is now. */
export const readAgain = (id: string) =>
  client.query({ query: UPLOAD, variables: { id }, fetchPolicy: 'network-only' })

/**
 * Preloads the next upload and its first file while this upload is being reviewed; null preloads nothing. `onLoaded` is
 * called with the id when the data of the upload is in the cache.
 */
export function usePreloadNext(id: string | null, onLoaded: (id: string) => void): void {
  const latest = useRef(onLoaded)
  latest.current = onLoaded
  useEffect(() => {
    if (id === null) return
    let isWanted = true
    const preload = async () => {
      const { data } = await readAgain(id)
      if (!isWanted || !data) return
      const [first] = data.upload.files
      if (first) await preloadFile(first)
      if (isWanted) startTransition(() => latest.current(id))
    }
    whenIdle(() => {
      // Only a preload: an error is shown when the upload is opened.
      if (isWanted) preload().catch(() => undefined)
    })
    return () => {
      isWanted = false
    }
  }, [id])
}
