import { useEffect, useState } from 'react'
import { archiveAddress, downloadAddress } from '../preview/preview-controls.ts'
import type { Upload } from './upload.queries.ts'

/** Keeps the selected file, and the ids of the files whose content was shown or downloaded. */
export function useFileNavigation(upload: Upload) {
  const { files } = upload
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [target, setTarget] = useState<{ page: number } | null>(null)
  const [shownIds, setShownIds] = useState<ReadonlySet<string>>(new Set())
  const downloadedIds = useDownloadedIds(upload)
  const selected = files.find(({ id }) => id === selectedId) ?? files[0]
  const opened = files.filter(({ id }) => shownIds.has(id) || downloadedIds.has(id))
  return {
    selected,
    /** Without files that were removed since. */
    openedIds: new Set(opened.map(({ id }) => id)) as ReadonlySet<string>,
    /** The page to show of the selected file; null: where it was left. */
    target,
    select: (id: string, page?: number) => {
      setSelectedId(id)
      setTarget(page === undefined ? null : { page })
    },
    step: (by: 1 | -1) => {
      const next = files[files.findIndex(({ id }) => id === selected?.id) + by]
      if (!next) return
      setSelectedId(next.id)
      setTarget(null)
    },
    onShown: (hasContent: boolean) => {
      if (!selected || !hasContent) return
      // The same set for a file that is in it already, so that nothing renders again.
      setShownIds((ids) => (ids.has(selected.id) ? ids : new Set([...ids, selected.id])))
    },
  }
}

/** Returns the ids of the files whose download links, or the one of the whole upload, were clicked on this page. */
function useDownloadedIds({ id, files }: Upload): ReadonlySet<string> {
  const [downloadedIds, setDownloadedIds] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a') : null
      const address = link?.getAttribute('href')
      const ids = files
        .map((file) => file.id)
        .filter((fileId) => address === downloadAddress({ id: fileId }) || address === archiveAddress(id))
      if (ids.length > 0) setDownloadedIds((known) => new Set([...known, ...ids]))
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [id, files])
  return downloadedIds
}
