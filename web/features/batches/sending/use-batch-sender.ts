import { useApolloClient } from '@apollo/client/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { LIMITS } from '../../../../shared/limits.ts'
import { formatDateTime } from '../../../../shared/romania/romanian.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { useSite } from '../../../session/use-site.ts'
import { pathOf } from '../../../ui/controls/dropped-files.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { checkFiles, type RejectedFile } from '../../new-upload/file-checks.ts'
import { CREATE_BATCH } from '../batches.queries.ts'
import { nameOfBatch } from './batch-files.ts'
import { createBatchSender, isUnfinished } from './batch-sender.ts'

/** As file managers sort: `IM2` before `IM10`. */
const BY_PATH = new Intl.Collator('ro', { numeric: true })

export type BatchSending = ReturnType<typeof useBatchSender>

/** Sends the chosen files of the page to one batch at a time, as long as the page is open. */
export function useBatchSender() {
  const client = useApolloClient()
  const site = useSite()
  const [sender] = useState(createBatchSender)
  const files = useSyncExternalStore(sender.subscribe, sender.getFiles)
  const state = useSyncExternalStore(sender.subscribeState, sender.getState)
  const [rejected, setRejected] = useState<readonly RejectedFile[]>([])
  const [isCreating, setCreating] = useState(false)
  useEffect(() => sender.stop, [sender])

  /** Sends files to a batch, a new one if it is null; returns the id of the batch, or null if there is none. */
  const send = async (batchId: string | null, chosen: readonly File[]): Promise<string | null> => {
    const known = batchId !== null && batchId === state.batchId ? files.length : 0
    const limits = { ...site, upload_files: LIMITS.batchFiles }
    const inOrder = chosen.toSorted((a, b) => BY_PATH.compare(pathOf(a), pathOf(b)))
    const checked = checkFiles(inOrder, known, limits, 'un lot')
    setRejected(checked.rejected)
    if (checked.accepted.length === 0) return null
    const id = batchId ?? (await create(checked.accepted))
    if (id === null) return null
    if (state.batchId !== id) sender.stop()
    sender.add(id, checked.accepted)
    return id
  }

  const create = async (chosen: readonly File[]) => {
    const otherwise = `Fișiere din ${formatDateTime(new Date().toISOString())}`
    const name = nameOfBatch(chosen.map(pathOf), otherwise)
    setCreating(true)
    try {
      const { data } = await client.mutate({ mutation: CREATE_BATCH, variables: { name } })
      return data?.createBatch.id ?? null
    } catch (error) {
      showToast({ tone: 'error', title: 'Lotul nu a putut fi început', description: errorMessage(error) })
      return null
    } finally {
      setCreating(false)
    }
  }

  return {
    sender,
    files,
    state,
    rejected,
    clearRejected: () => setRejected([]),
    isCreating,
    /** Whether files of this page are still on the way. */
    isBusy: files.some(isUnfinished),
    send,
  }
}
