import { useApolloClient } from '@apollo/client/react'
import { useRef } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { INBOX_COUNTS, MARK_RESULTS, type Mark, type ResultLine } from './inbox.queries.ts'

const RESULTS = ['rezultat', 'rezultate'] as const

/** `reverse` takes a mark back. A mark that was taken away may have been a colleague's, and cannot be given back to them. */
const TEXTS: Record<Mark, { one: string; many: string; reverse: Mark | null }> = {
  take: { one: 'preluat', many: 'preluate', reverse: 'put_back' },
  put_back: { one: 'nu mai este preluat', many: 'nu mai sunt preluate', reverse: null },
  handle: { one: 'rezolvat', many: 'rezolvate', reverse: 'reopen' },
  reopen: { one: 'redeschis', many: 'redeschise', reverse: null },
}

/**
 * Returns what marks results for all colleagues: a toast says what has changed and takes it back, as `undoLast` does, which is
 * null if there is nothing to take back.
 */
export function useMarks(onMarked: () => void) {
  const client = useApolloClient()
  const last = useRef<{ ids: string[]; reverse: Mark } | null>(null)
  const undo = () => {
    const undone = last.current
    last.current = null
    if (undone) void mark(undone.ids, undone.reverse)
  }
  return { mark, undoLast: () => (last.current ? undo : null) }

  async function mark(ids: readonly string[], kind: Mark): Promise<void> {
    try {
      const { data } = await client.mutate({
        mutation: MARK_RESULTS,
        variables: { ids: [...ids], mark: kind },
        refetchQueries: [INBOX_COUNTS],
      })
      const { changed, unchanged } = data!.markResults
      const missing = ids.length - changed.length - unchanged.length
      const { reverse } = TEXTS[kind]
      last.current = reverse && changed.length > 0 ? { ids: changed.map(({ id }) => id), reverse } : null
      const undone = last.current
      showToast({
        tone: changed.length > 0 ? 'success' : 'info',
        title: changed.length > 0 ? titleOf(changed, kind) : 'Nimic de schimbat',
        description: describeRest(unchanged, missing),
        ...(undone && {
          action: { label: 'Anulează', onAction: () => void mark(undone.ids, undone.reverse) },
        }),
      })
      onMarked()
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu s-a putut marca', description: errorMessage(error) })
    }
  }
}

function titleOf(changed: readonly ResultLine[], kind: Mark): string {
  const { one, many } = TEXTS[kind]
  const [only, ...others] = changed
  return others.length === 0
    ? `${only?.patient?.name ?? 'Rezultat'}: ${one}`
    : `${counted(changed.length, ...RESULTS)} ${many}`
}

/** Names who has marked a result before; of several results only their number. */
function describeRest(unchanged: readonly ResultLine[], missing: number): string | undefined {
  const [only, ...others] = unchanged
  const taken = only && others.length === 0 ? describeState(only) : null
  const lines = [
    taken ??
      (unchanged.length > 0 && `${counted(unchanged.length, 'rezultat rămas', 'rezultate rămase')} la fel.`),
    missing > 0 && `${counted(missing, 'rezultat retras', 'rezultate retrase')} între timp.`,
  ].filter(Boolean)
  return lines.length > 0 ? lines.join(' ') : undefined
}

function describeState({ patient, inbox }: ResultLine): string | null {
  if (inbox?.handledByName) return `${patient?.name ?? 'Rezultatul'}: rezolvat de ${inbox.handledByName}.`
  if (inbox?.takenByName) return `${patient?.name ?? 'Rezultatul'}: preluat de ${inbox.takenByName}.`
  return null
}

/** Returns what takes the marks of these results back: first of handled ones, else of those that the user has taken. */
export function undoOf(results: readonly ResultLine[]): { kind: Mark; ids: string[] } | null {
  const handled = results.filter(({ inbox }) => inbox?.state === 'handled')
  const own = results.filter(({ inbox }) => inbox?.state === 'taken' && inbox.isMine)
  if (handled.length > 0) return { kind: 'reopen', ids: handled.map(({ id }) => id) }
  return own.length > 0 ? { kind: 'put_back', ids: own.map(({ id }) => id) } : null
}
