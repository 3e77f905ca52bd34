import { useQuery } from '@apollo/client/react'
import { useEffect, useRef } from 'react'
import { useLiveUploads } from '../../uploads/use-live-uploads.ts'
import { FILE_CHECKS, type FileCheck, type UploadProposal } from '../new-upload.queries.ts'

/** When files are read again that no notice of a change has reached, after the last notice or arrival. */
const REREAD_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000, 32_000]

export type FileChecks = {
  /** By fingerprint; of the files that have arrived. */
  bySha256: ReadonlyMap<string, FileCheck>
  proposal: UploadProposal | null
  /** Asks the server again. */
  reload: () => void
}

const NONE: ReadonlyMap<string, FileCheck> = new Map()

/**
 * Returns what the files of an upload say, as soon as they are read; none without an upload. `arrived`: the fingerprints of
 * the files that have arrived. A failed request changes nothing on the page: the files are read again later.
 */
export function useFileChecks(uploadId: string | null, arrived: readonly string[]): FileChecks {
  const { data, refetch } = useQuery(FILE_CHECKS, {
    variables: { id: uploadId ?? '' },
    skip: uploadId === null || arrived.length === 0,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  })
  const isActive = uploadId !== null && arrived.length > 0
  const reload = () => {
    if (isActive) void refetch().catch(() => undefined)
  }
  const checks = data?.upload.fileChecks
  // A file that was removed or moved since the last response says nothing more here.
  const present = checks?.filter(({ file }) => arrived.includes(file.sha256))
  const bySha256 = present && isActive ? new Map(present.map((check) => [check.file.sha256, check])) : NONE
  useRereads({ uploadId, arrived, stateOf: (sha256) => bySha256.get(sha256)?.state, reload })
  return { bySha256, proposal: (isActive && data?.upload.proposal) || null, reload }
}

/**
 * Calls `reload` when the upload changes, and again and again while a file that has arrived waits to be read: the notice of a
 * change may be lost.
 */
export function useRereads({
  uploadId,
  arrived,
  stateOf,
  reload,
}: {
  uploadId: string | null
  arrived: readonly string[]
  stateOf: (sha256: string) => FileCheck['state'] | undefined
  reload: () => void
}): void {
  const latest = useRef(reload)
  latest.current = reload
  useLiveUploads((ids) => {
    if (uploadId !== null && (ids === null || ids.has(uploadId))) latest.current()
  })
  const isActive = uploadId !== null && arrived.length > 0
  const isWaiting = arrived.some((sha256) => (stateOf(sha256) ?? 'WAITING') === 'WAITING')
  const all = arrived.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival begins the delays anew
  useEffect(() => {
    if (!isActive || !isWaiting) return
    const timers = REREAD_DELAYS_MS.map((delay) => setTimeout(() => latest.current(), delay))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [isActive, isWaiting, all])
}
