import { useEffect, useReducer, useRef } from 'react'
import type { Option } from './option.ts'
import { type LoadOptions, OptionLoader } from './option-loader.ts'

interface LoadedChoices<Id extends string> {
  options: readonly Option<Id>[]
  isLoading: boolean
  error: unknown
  /** The text that the options match. */
  searchedText: string
  onSearch: (text: string) => void
  onOpenChange: (isOpen: boolean, trigger?: string) => void
  onLoadMore: (() => void) | undefined
  onRetry: () => void
}

/**
 * Returns the props with which ComboBox shows options that `load` brings page by page; null without `load`. A
 * new `load` function alone sends no request: the field needs another `key` if its options change.
 */
export function useLoadedOptions<Id extends string>(load: LoadOptions<Id>): LoadedChoices<Id>
export function useLoadedOptions<Id extends string>(
  load: LoadOptions<Id> | undefined,
): LoadedChoices<Id> | null
export function useLoadedOptions<Id extends string>(
  load: LoadOptions<Id> | undefined,
): LoadedChoices<Id> | null {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const latest = useRef(load)
  latest.current = load
  const loaderRef = useRef<OptionLoader<Id>>(null)
  loaderRef.current ??= new OptionLoader<Id>(async (text, cursor) => {
    const response = await latest.current?.(text, cursor)
    return response ?? { options: [], next: null }
  }, refresh)
  const loader = loaderRef.current
  const query = useRef('')
  const isListOpen = useRef(false)
  useEffect(() => () => loader.cancel(), [loader])
  if (!load) return null
  const { options, next, isLoading, error, text } = loader.state
  return {
    options,
    isLoading,
    error,
    searchedText: text,
    onSearch: (text: string) => {
      query.current = text
      // An empty text is a search only while the list is open; on a closed list, the box is simply empty.
      if (text !== '' || isListOpen.current) loader.search(text)
      else loader.cancel()
    },
    onOpenChange: (isOpen: boolean, trigger?: string) => {
      isListOpen.current = isOpen
      if (!isOpen) loader.cancel()
      else if (trigger === 'manual' || query.current === '') loader.open('')
    },
    onLoadMore: next === null ? undefined : () => loader.loadMore(),
    onRetry: () => loader.retry(),
  }
}
