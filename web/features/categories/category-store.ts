import type { Category } from '../../../shared/categories.ts'
import { isSameList, readCategoryList } from './category-list.ts'

/** The two calls of the specification [7.10][7.11], each answering its JSON string. */
export type CategoryCalls = {
  getCategories(): Promise<string>
  saveCategories(input: string): Promise<string>
}

export type CategoryState = {
  /** What the screens show, flat and in display order. */
  list: readonly Category[]
  /** The list as the server last answered it [4.7]. */
  snapshot: readonly Category[]
  /** Of the snapshot; 0 where none was loaded yet, which no list of the server's has. */
  version: number
}

const EMPTY: CategoryState = { list: [], snapshot: [], version: 0 }

export type CategoryStore = ReturnType<typeof createCategoryStore>

/** The categories of one signed-in person's page, shared by all of its screens. */
export function createCategoryStore(calls: CategoryCalls) {
  let state = EMPTY
  let loading: Promise<void> | null = null
  /** Counts the people: what was asked for one is not kept for the next. */
  let reader = 0
  const listeners = new Set<() => void>()

  const setState = (next: CategoryState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const receive = (json: string, askedFor: number) => {
    if (askedFor !== reader) return
    const { tree, version } = readCategoryList(json)
    setState({ list: tree, snapshot: tree, version })
  }

  return {
    getState: (): CategoryState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /**
     * Asks for the list where there is none yet and nobody has asked [4.11]. Never rejects: a failure is logged and
     * otherwise ignored [8.11], and whoever comes next asks again.
     */
    load: (): Promise<void> => {
      if (state.version > 0) return Promise.resolve()
      if (loading) return loading
      const askedFor = reader
      const request = calls
        .getCategories()
        .then((json) => receive(json, askedFor))
        .catch((error: unknown) => {
          if (askedFor === reader) console.warn('categories cannot be loaded', error)
        })
        .finally(() => {
          if (loading === request) loading = null
        })
      loading = request
      return request
    },

    /** Puts an edited list in the place of the one shown; the snapshot stays. */
    change: (list: readonly Category[]): void => setState({ ...state, list }),

    /** Whether there is anything to save [4.7]. */
    isChanged: (): boolean => !isSameList(state.list, state.snapshot),

    /**
     * Sends the whole flat list with the version that it began with, and takes list and snapshot from the answer [4.10].
     * Rejects with the server's refusal (CONFLICT: somebody else has saved meanwhile), the list left as it is.
     */
    saveAll: async (): Promise<void> => {
      const savedFor = reader
      const input = JSON.stringify({ tree: state.list, version: state.version })
      receive(await calls.saveCategories(input), savedFor)
    },

    /** Forgets everything: the person has left. */
    clear: (): void => {
      reader += 1
      loading = null
      setState(EMPTY)
    },
  }
}
