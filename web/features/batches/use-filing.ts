import { useApolloClient } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { ACCEPT_GROUP, ACCEPT_SURE_GROUPS, type BatchHead, UNDO_FILING } from './batches.queries.ts'

const countGroups = (count: number) => counted(count, 'grup', 'grupuri')

/** The groups that were filed with one key; `closeToast` closes the message that offers to take them back. */
type Filing = { ids: string[]; closeToast?: () => void }

/** Files groups of a batch, and takes them back. `reload` is called after each change. */
export function useFiling(batchId: string, reload: () => Promise<void>) {
  const client = useApolloClient()
  /** What went wrong with a row, until it is tried again. */
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set())
  /** How many groups were filed with one key so far; null: none are being filed. */
  const [progress, setProgress] = useState<number | null>(null)
  /** The filings of this page, the last one last. */
  const filings = useRef<Filing[]>([])
  /** One at a time, since each takes back what the last one has left. */
  const undoing = useRef(Promise.resolve())

  const setProblem = (id: string, text: string | null) =>
    setProblems((before) => {
      const next = new Map(before)
      if (text === null) next.delete(id)
      else next.set(id, text)
      return next
    })

  /** Files a group as it is on the screen. Returns whether it was filed; the row says why not. */
  const accept = async (
    { id, version }: { id: string; version: number },
    details: { patientId: string },
  ): Promise<boolean> => {
    setProblem(id, null)
    setSent((ids) => new Set(ids).add(id))
    try {
      await client.mutate({ mutation: ACCEPT_GROUP, variables: { uploadId: id, version, details } })
      filings.current.push({ ids: [id] })
      return true
    } catch (error) {
      setProblem(id, errorMessage(error))
      return false
    } finally {
      await reload()
      setSent((ids) => new Set([...ids].filter((each) => each !== id)))
    }
  }

  const acceptSome = async (version: number, after: string | null) => {
    const variables = { batchId, version, after }
    const { data } = await client.mutate({ mutation: ACCEPT_SURE_GROUPS, variables })
    if (!data) throw new Error('acceptSureGroups: no data')
    return data.acceptSureGroups
  }

  /** Files all groups that were ready when the batch had the version on the screen. */
  const acceptSure = async ({ version }: Pick<BatchHead, 'version'>) => {
    const filed: string[] = []
    let left = 0
    let isBroken = false
    setProgress(0)
    try {
      let after: string | null = null
      do {
        const acted = await acceptSome(version, after)
        filed.push(...acted.done)
        left += acted.left.length
        for (const { uploadId, reason } of acted.left) setProblem(uploadId, reason)
        after = acted.endCursor
        setProgress(filed.length)
      } while (after !== null)
    } catch (error) {
      isBroken = true
      showToast({ tone: 'error', title: 'Nu s-au trimis toate', description: errorMessage(error) })
    }
    const filing: Filing = { ids: filed }
    if (filed.length > 0) filings.current.push(filing)
    setProgress(null)
    await reload()
    if (isBroken && filed.length === 0) return
    // Taken back meanwhile.
    if (filed.length > 0 && filing.ids.length === 0) return
    filing.closeToast = showToast({
      tone: left > 0 ? 'info' : 'success',
      title: `${countGroups(filed.length)} la verificare`,
      description: left > 0 ? `${countGroups(left)} au rămas: s-au schimbat între timp.` : undefined,
      action: filed.length > 0 ? { label: 'Ia înapoi', onAction: () => undo(() => filing.ids) } : undefined,
    })
  }

  /** Removes groups that need not be taken back any more, and the messages that offered only these. */
  const forget = (ids: readonly string[]) => {
    for (const filing of filings.current) {
      filing.ids = filing.ids.filter((id) => !ids.includes(id))
      if (filing.ids.length === 0) filing.closeToast?.()
    }
    filings.current = filings.current.filter((filing) => filing.ids.length > 0)
  }

  const undo = (choose: () => readonly string[]) => {
    undoing.current = undoing.current
      .catch(() => undefined)
      .then(async () => {
        const ids = choose()
        if (ids.length > 0) await takeBack(ids)
      })
  }

  const takeBack = async (ids: readonly string[]) => {
    let done = 0
    let reason: string | null = null
    try {
      for (let from = 0; from < ids.length; from += LIMITS.batchGroups) {
        const uploadIds = ids.slice(from, from + LIMITS.batchGroups)
        const { data } = await client.mutate({ mutation: UNDO_FILING, variables: { batchId, uploadIds } })
        forget(uploadIds)
        done += data?.undoFiling.done.length ?? 0
        reason = data?.undoFiling.left[0]?.reason ?? reason
      }
    } catch (error) {
      reason = errorMessage(error)
    }
    await reload()
    if (reason === null)
      showToast({ tone: 'success', title: `${countGroups(done)} ${done === 1 ? 'luat' : 'luate'} înapoi` })
    else
      showToast({
        tone: 'error',
        title: done > 0 ? `Luate înapoi: ${done} din ${countGroups(ids.length)}` : 'Nu s-a luat înapoi',
        description: reason,
      })
  }

  return {
    accept,
    acceptSure,
    undo: (id: string) => undo(() => [id]),
    /** Remembers a group that was filed elsewhere on the page, to be taken back. */
    addFiled: (id: string) => void filings.current.push({ ids: [id] }),
    /** Takes the last filing of this page back; otherwise the given group. */
    undoLast: (otherwise: string | null) =>
      undo(() => filings.current.at(-1)?.ids ?? (otherwise === null ? [] : [otherwise])),
    problems,
    setProblem,
    /** The groups that are being filed. */
    sent,
    progress,
  }
}
