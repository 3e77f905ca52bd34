import { useEffect, useReducer, useRef } from 'react'
import type { Option } from './option.ts'
import { type LoadOptions, OptionLoader } from './option-loader.ts'

interface LoadedChoices<Id extends string> {
  options: readonly Option<Id>[]
  isLoading: boolean
  error: unknown
  /** The text that the options answer. */
  answered: string
  onSearch: (text: string) => void
  onOpenChange: (isOpen: boolean, trigger?: string) => void
  onLoadMore: (() => void) | undefined
  onRetry: () => void
}

/**
 * What ComboBox needs to show options that `load` brings, page by page, as the person types; null without `load`. Another
 * function does not ask anew: give the field another `key` where the answers become others.
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
  const kept = useRef<OptionLoader<Id>>(null)
  kept.current ??= new OptionLoader<Id>(async (text, cursor) => {
    const response = await latest.current?.(text, cursor)
    return response ?? { options: [], next: null }
  }, refresh)
  const loader = kept.current
  const question = useRef('')
  const isListOpen = useRef(false)
  useEffect(() => () => loader.cancel(), [loader])
  if (!load) return null
  const { options, next, isLoading, error, text } = loader.state
  return {
    options,
    isLoading,
    error,
    answered: text,
    onSearch: (text: string) => {
      question.current = text
      // Emptied in the open list it is a question; what a closed list leaves in the box is none.
      if (text !== '' || isListOpen.current) loader.search(text)
      else loader.cancel()
    },
    onOpenChange: (isOpen: boolean, trigger?: string) => {
      isListOpen.current = isOpen
      if (!isOpen) loader.cancel()
      else if (trigger === 'manual' || question.current === '') loader.open('')
    },
    onLoadMore: next === null ? undefined : () => loader.loadMore(),
    onRetry: () => loader.retry(),
  }
}
