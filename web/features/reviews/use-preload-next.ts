import { useEffect } from 'react'
import { client } from '../../api/client.ts'
import { preloadFile } from '../preview/preload-file.ts'
import { UPLOAD } from './upload.queries.ts'

/** Preloads the next upload and its first file while this upload is being reviewed; null preloads nothing. */
export function usePreloadNext(id: string | null): void {
  useEffect(() => {
    if (id === null) return
    client
      .query({ query: UPLOAD, variables: { id }, fetchPolicy: 'network-only' })
      .then(({ data }) => {
        const [first] = data?.upload.files ?? []
        if (first) return preloadFile(first)
      })
      // Only a preload: an error is shown when the upload is opened.
      .catch(() => undefined)
  }, [id])
}
