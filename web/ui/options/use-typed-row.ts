import {
  type ContextType,
  type KeyboardEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { ComboBoxStateContext } from 'react-aria-components'
import { findOnlyRow, findTypedRow, type Row } from './typed-row.ts'

type ListState = NonNullable<ContextType<typeof ComboBoxStateContext>>

interface TypedRowInput {
  /** What the user searches; empty if the box contains the label of the choice. */
  query: string
  matches: (label: string) => boolean
  /** The ids of a multiple choice. */
  chosen: readonly string[]
  /** The ids of rows that act instead of being chosen. */
  actions: readonly string[]
  /** Whether the list has rows that are not loaded yet. */
  hasMore: boolean
  /** Whether the rows are of another text: no key takes one of them, not even a focused one. */
  isOutdated: boolean
  /** Whether a request failed: a focused row can only be the one that retries. */
  hasProblem: boolean
  onChoose: (id: string) => void
}

/**
 * Marks the row of the open list that Enter and Tab choose for the typed text, and keeps a text that is not an
 * option: React Aria alone would empty the box.
 */
export function useTypedRow(input: TypedRowInput) {
  const { query, isOutdated, hasProblem, onChoose } = input
  const list = useRef<ListState>(null)
  const markedQuery = useRef<string | null>(null)
  /** The query for which Enter was pressed before its options arrived. */
  const [awaitedQuery, setAwaitedQuery] = useState<string | null>(null)

  /** Focuses the row of the query, unless the user has moved on to another row; returns whether a row is focused. */
  const mark = (): boolean => {
    const rows = listRows(list.current, input)
    const manager = list.current?.selectionManager
    const isFocused = rows.some(({ id }) => id === manager?.focusedKey)
    if (query === '' || isOutdated || (isFocused && markedQuery.current === query)) return isFocused
    const row = findTypedRow(rows, query, input.matches)
    if (row) manager?.setFocusedKey(row.id)
    markedQuery.current = row && query
    return row !== null || isFocused
  }

  /** Returns the option that the text can only mean; null while the list is closed or outdated. */
  const findOnlyOption = (): string | null => {
    if (query === '' || isOutdated) return null
    const only = findOnlyRow(listRows(list.current, input), query, input.hasMore)
    return only && !only.isAction ? only.id : null
  }

  const handleListChange = () => {
    mark()
    const only = awaitedQuery === query ? findOnlyOption() : null
    if (only === null) return
    setAwaitedQuery(null)
    onChoose(only)
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'Enter' && event.key !== 'Tab') || event.ctrlKey || event.metaKey) return
    // React Aria chooses the focused row.
    if (query === '' || ((!isOutdated || hasProblem) && mark())) return
    event.stopPropagation()
    if (event.key === 'Tab') return
    event.preventDefault()
    if (isOutdated) setAwaitedQuery(query)
  }

  return { list, handleListChange, handleKeyDown, findOnlyOption, forgetEnter: () => setAwaitedQuery(null) }
}

/** Returns the enabled rows of the list; none while it is closed. */
function listRows(list: ListState | null, { chosen, actions }: TypedRowInput): Row[] {
  const rows: Row[] = []
  if (!list?.isOpen) return rows
  const { collection } = list
  for (let key = collection.getFirstKey(); key !== null; key = collection.getKeyAfter(key)) {
    const item = collection.getItem(key)
    if (item?.type !== 'item' || item.props?.isDisabled) continue
    const id = String(key)
    rows.push({ id, label: item.textValue, isChosen: chosen.includes(id), isAction: actions.includes(id) })
  }
  return rows
}

/**
 * Keeps the list's state in a ref and calls `onChange` after each rendering. Must be rendered after the list,
 * whose own effect resets the focused row when the first rows arrive.
 */
export function ListObserver({
  list,
  onChange,
}: Pick<ReturnType<typeof useTypedRow>, 'list'> & { onChange: () => void }) {
  const state = useContext(ComboBoxStateContext)
  useLayoutEffect(() => {
    if (state) list.current = state
  })
  useEffect(() => {
    if (state) onChange()
  })
  return null
}
