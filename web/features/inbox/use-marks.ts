import type { ApolloCache } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useRef } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { INBOX_COUNTS, MARK_RESULTS, type Mark, ResultLine } from './inbox.queries.ts'

const RESULTS = ['rezultat', 'rezultate'] as const

const TEXTS: Record<Mark, { one: string; many: string }> = {
  take: { one: 'preluat', many: 'preluate' },
  put_back: { one: 'nu mai este preluat', many: 'nu mai sunt preluate' },
  handle: { one: 'rezolvat', many: 'rezolvate' },
  reopen: { one: 'redeschis', many: 'redeschise' },
}

/**
 * Returns what marks results for all colleagues: a toast says what has changed and takes it back, as does `undoLast`. It is
 * null if there is nothing to take back, or not among these results.
 */
export function useMarks(onMarked: () => void) {
  const client = useApolloClient()
  const last = useRef<{ ids: string[]; reverse: Mark } | null>(null)
  const undo = () => {
    const undone = last.current
    last.current = null
    if (undone) void mark(undone.ids, undone.reverse)
  }
  const undoLast = (among?: readonly string[]) => {
    const ids = last.current?.ids
    return ids && (!among || ids.every((id) => among.includes(id))) ? undo : null
  }
  return { mark, undoLast }

  async function mark(ids: readonly string[], kind: Mark): Promise<void> {
    const own = new Set(ids.filter((id) => isOwn(client.cache, id)))
    try {
      const { data } = await client.mutate({
        mutation: MARK_RESULTS,
        variables: { ids: [...ids], mark: kind },
        // Named as a query: the page has it from the cache alone.
        refetchQueries: [{ query: INBOX_COUNTS }],
      })
      const { changed, unchanged } = data!.markResults
      const missing = ids.length - changed.length - unchanged.length
      const reverse = reverseOf(
        kind,
        changed.every(({ id }) => own.has(id)),
      )
      const undone = reverse && changed.length > 0 ? { ids: changed.map(({ id }) => id), reverse } : null
      // What was taken back with the key is not given back with the same key.
      last.current = kind === 'take' || kind === 'handle' ? undone : null
      showToast({
        tone: changed.length > 0 ? 'success' : 'info',
        title: changed.length > 0 ? titleOf(changed, kind) : 'Nimic de schimbat',
        description: describeRest(unchanged, missing, kind),
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

/** Whether the user has taken the result, as the list shows it. */
const isOwn = (cache: ApolloCache, id: string): boolean =>
  cache.readFragment({
    id: cache.identify({ __typename: 'Upload', id }) ?? '',
    fragment: ResultLine,
    fragmentName: 'ResultLine',
  })?.inbox?.isMine ?? false

/**
 * Returns the mark that restores what was before; null if none does. A colleague's mark does not come back: the same mark
 * again would be in the user's name.
 */
export function reverseOf(kind: Mark, areOwn: boolean): Mark | null {
  if (kind === 'take') return 'put_back'
  if (kind === 'handle') return 'reopen'
  return kind === 'put_back' && areOwn ? 'take' : null
}

function titleOf(changed: readonly ResultLine[], kind: Mark): string {
  const { one, many } = TEXTS[kind]
  const [only, ...others] = changed
  return others.length === 0
    ? `${only?.patient?.name ?? 'Rezultat'}: ${one}`
    : `${counted(changed.length, ...RESULTS)} ${many}`
}

/** Says why the other results did not change: of a single one by whom it was marked before, else only their number. */
export function describeRest(
  unchanged: readonly ResultLine[],
  missing: number,
  kind: Mark,
): string | undefined {
  const [only, ...others] = unchanged
  const marked = only && others.length === 0 ? describeMarked(only, kind) : null
  const lines = [
    marked ??
      (unchanged.length > 0 && `${counted(unchanged.length, 'rezultat rămas', 'rezultate rămase')} la fel.`),
    missing > 0 && `${counted(missing, 'rezultat retras', 'rezultate retrase')} între timp.`,
  ].filter(Boolean)
  return lines.length > 0 ? lines.join(' ') : undefined
}

/** Returns the mark because of which a result was not taken or handled; null if there is none, or the user has taken it. */
function describeMarked({ patient, inbox }: ResultLine, kind: Mark): string | null {
  if (!inbox || (kind !== 'take' && kind !== 'handle')) return null
  const name = patient?.name ?? 'Rezultatul'
  if (inbox.handledByName) return `${name}: rezolvat de ${inbox.handledByName}.`
  return inbox.takenByName && !inbox.isMine ? `${name}: preluat de ${inbox.takenByName}.` : null
}

/** Returns what takes the marks of these results back: first of handled ones, else of those that the user has taken. */
export function undoOf(results: readonly ResultLine[]): { kind: Mark; ids: string[] } | null {
  const handled = results.filter(({ inbox }) => inbox?.state === 'handled')
  const own = results.filter(({ inbox }) => inbox?.state === 'taken' && inbox.isMine)
  if (handled.length > 0) return { kind: 'reopen', ids: handled.map(({ id }) => id) }
  return own.length > 0 ? { kind: 'put_back', ids: own.map(({ id }) => id) } : null
}
