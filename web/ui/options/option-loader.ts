import { DEBOUNCE_MS } from '../hooks/debounce-ms.ts'
import type { Option } from './option.ts'

/**
 * Loads one page of the options that match a text; `cursor` is the previous page's `next`, null for the first
 * page.
 */
export type LoadOptions<Id extends string = string> = (
  text: string,
  cursor: string | null,
) => Promise<{ options: readonly Option<Id>[]; next: string | null }>

interface LoadedOptions<Id extends string = string> {
  options: readonly Option<Id>[]
  /** The text that the options match; empty before the first response. */
  text: string
  /** The cursor of the next page; null after the last page. */
  next: string | null
  isLoading: boolean
  /** The error of the last request, or null. */
  error: unknown
}

const NOTHING = { options: [], text: '', next: null, isLoading: false, error: null }

/**
 * Loads the options of one list: waits `DEBOUNCE_MS` after the last key, drops responses to outdated
 * requests, and appends pages. `onChange` is called after every change of `state`.
 */
export class OptionLoader<Id extends string = string> {
  state: LoadedOptions<Id> = NOTHING
  readonly #load: LoadOptions<Id>
  readonly #onChange: () => void
  #text: string | null = null
  #requestId = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(load: LoadOptions<Id>, onChange: () => void) {
    this.#load = load
    this.#onChange = onChange
  }

  /** Loads the options that match a typed text, after the debounce time. */
  search(text: string): void {
    this.cancel()
    // The options of another text must not be selectable for this text.
    if (text !== this.#text) this.#set({ options: [], next: null, error: null })
    this.#set({ isLoading: true })
    this.#timer = setTimeout(() => void this.#fetchPage(text, null), DEBOUNCE_MS)
  }

  /** Loads the options that match the text without the debounce time, when the list is opened. */
  open(text: string): void {
    this.cancel()
    if (text !== this.#text) this.#set({ options: [], next: null })
    void this.#fetchPage(text, null)
  }

  loadMore(): void {
    const { next, isLoading, error } = this.state
    if (next !== null && !isLoading && error === null) void this.#fetchPage(this.#text ?? '', next)
  }

  /** Repeats the failed request, of the first page or of a later one. */
  retry(): void {
    void this.#fetchPage(this.#text ?? '', this.state.next)
  }

  /** Stops the debounce timer and ignores the response to a running request, which is not aborted. */
  cancel(): void {
    clearTimeout(this.#timer)
    this.#requestId += 1
    if (this.state.isLoading) this.#set({ isLoading: false })
  }

  async #fetchPage(text: string, cursor: string | null): Promise<void> {
    this.#requestId += 1
    const requestId = this.#requestId
    if (cursor === null) this.#text = text
    this.#set({ isLoading: true, error: null })
    try {
      const { options, next } = await this.#load(text, cursor)
      if (requestId !== this.#requestId) return
      const before = cursor === null ? [] : this.state.options
      const seen = new Set(before.map(({ id }) => id))
      // If the list grew between two pages, an option is in both.
      const added = options.filter(({ id }) => !seen.has(id) && seen.add(id))
      this.#set({ options: [...before, ...added], text, next, isLoading: false })
    } catch (error) {
      if (requestId !== this.#requestId) return
      const isFirst = cursor === null
      this.#set({ isLoading: false, error: error ?? true, ...(isFirst && { options: [], next: null }) })
    }
  }

  #set(change: Partial<LoadedOptions<Id>>): void {
    this.state = { ...this.state, ...change }
    this.#onChange()
  }
}
