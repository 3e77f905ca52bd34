import { DEBOUNCE_MS } from '../hooks/debounce-ms.ts'
import type { Option } from './option.ts'

/** Asks for what answers to a text; `cursor` is the `next` of the page before, null for the first. */
export type LoadOptions<Id extends string = string> = (
  text: string,
  cursor: string | null,
) => Promise<{ options: readonly Option<Id>[]; next: string | null }>

interface LoadedOptions<Id extends string = string> {
  options: readonly Option<Id>[]
  /** What they answer; empty before the first answer. */
  text: string
  /** Where the next page begins; null after the last. */
  next: string | null
  isLoading: boolean
  /** What the last request was refused with. */
  error: unknown
}

const NOTHING = { options: [], text: '', next: null, isLoading: false, error: null }

/**
 * Keeps one list of answers from elsewhere: asks a moment after the last key, drops answers that came too late for their
 * question, and adds pages at the end. `onChange` hears every change.
 */
export class OptionLoader<Id extends string = string> {
  state: LoadedOptions<Id> = NOTHING
  readonly #load: LoadOptions<Id>
  readonly #onChange: () => void
  #text: string | null = null
  #request = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(load: LoadOptions<Id>, onChange: () => void) {
    this.#load = load
    this.#onChange = onChange
  }

  /** Another text was typed. */
  search(text: string): void {
    this.cancel()
    // What answered to something else must not be taken for an answer to this.
    if (text !== this.#text) this.#set({ options: [], next: null, error: null })
    this.#set({ isLoading: true })
    this.#timer = setTimeout(() => void this.#ask(text, null), DEBOUNCE_MS)
  }

  /** The list was opened: what answers to the text now, without waiting. */
  open(text: string): void {
    this.cancel()
    if (text !== this.#text) this.#set({ options: [], next: null })
    void this.#ask(text, null)
  }

  loadMore(): void {
    const { next, isLoading, error } = this.state
    if (next !== null && !isLoading && error === null) void this.#ask(this.#text ?? '', next)
  }

  /** Asks again for what was refused. */
  retry(): void {
    void this.#ask(this.#text ?? '', this.state.next)
  }

  /** What is under way is not wanted any more. */
  cancel(): void {
    clearTimeout(this.#timer)
    this.#request += 1
    if (this.state.isLoading) this.#set({ isLoading: false })
  }

  async #ask(text: string, cursor: string | null): Promise<void> {
    this.#request += 1
    const request = this.#request
    if (cursor === null) this.#text = text
    this.#set({ isLoading: true, error: null })
    try {
      const { options, next } = await this.#load(text, cursor)
      if (request !== this.#request) return
      const before = cursor === null ? [] : this.state.options
      const seen = new Set(before.map(({ id }) => id))
      // A list that grew between two pages gives a line twice.
      const added = options.filter(({ id }) => !seen.has(id) && seen.add(id))
      this.#set({ options: [...before, ...added], text, next, isLoading: false })
    } catch (error) {
      if (request !== this.#request) return
      const isFirst = cursor === null
      this.#set({ isLoading: false, error: error ?? true, ...(isFirst && { options: [], next: null }) })
    }
  }

  #set(change: Partial<LoadedOptions<Id>>): void {
    this.state = { ...this.state, ...change }
    this.#onChange()
  }
}
