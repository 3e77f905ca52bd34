import type { SlugMoves } from '../../../../shared/uploads/categories.ts'
import { reconcileIds } from '../merge/category-merge.ts'
import { type CategoryResponse, isSameList, readCategoryList } from './category-list.ts'
import { EMPTY_STATE, isChanged, type StateHolder } from './category-state.ts'

/** The two calls of the specification [7.10][7.11]; `details` go to the `extensions` of the request. */
export type CategoryCalls = {
  getCategories(): Promise<CategoryResponse>
  saveCategories(
    input: string,
    details: { version: number | null; moves?: SlugMoves },
  ): Promise<CategoryResponse>
}

/** The actions that exchange the list with the server. */
export function serverActions({ getState, setState, setServerList }: StateHolder, calls: CategoryCalls) {
  let loading: Promise<void> | null = null
  let saving: Promise<void> | null = null
  /** Grows with every user: a response to a request of an earlier user is discarded. */
  let generation = 0

  const fetchList = async (receive: (response: CategoryResponse) => void) => {
    const requested = generation
    try {
      const response = await calls.getCategories()
      if (requested === generation) receive(response)
    } catch (error) {
      if (requested === generation) console.warn('categories cannot be loaded', error)
    }
  }

  return {
    /**
     * Loads the list if it is neither loaded nor loading [4.11]. Never rejects: a failure is only logged
     * [8.11], and the next call repeats the request.
     */
    load: (): Promise<void> => {
      if (getState().version !== 0) return Promise.resolve()
      if (loading) return loading
      const request = fetchList((response) => setServerList(readCategoryList(response))).finally(() => {
        if (loading === request) loading = null
      })
      loading = request
      return request
    },

    /**
     * Reloads the list after a save. If this page has unsaved changes, the new list is kept as `arrived`, and
     * overwrites neither the list nor the edit buffer. Never rejects, as a failure is only logged.
     */
    refresh: async (): Promise<void> => {
      // The server also notifies of a save by this page, maybe before the response to it.
      await Promise.allSettled([loading, saving])
      if (getState().version === 0) return
      await fetchList((response) => {
        const list = readCategoryList(response)
        const state = getState()
        const known = (state.arrived ?? state).version
        if (known !== null && list.version !== null && list.version <= known) return
        // Without versions only the content shows whether the list was saved.
        const withOwnIds = () => reconcileIds(state.snapshot, state.snapshot, list.tree, list.moved)
        if (list.version === null && isSameList(withOwnIds(), state.snapshot)) return
        if (!isChanged(state) && !state.edited) return setServerList(list)
        const tree = reconcileIds(state.snapshot, state.list, list.tree, list.moved)
        setState({ arrived: { ...list, tree } })
      })
    },

    /**
     * Saves the whole flat list with the version it is based on, and takes list and snapshot from the
     * response [4.10]. `moves` says where the uploads of removed slugs go. Rejects with the server's error
     * (CONFLICT: another user has saved meanwhile) and keeps the list.
     */
    saveAll: (moves?: SlugMoves): Promise<void> => {
      const requested = generation
      const { list, version } = getState()
      const details = { version, ...(moves && { moves }) }
      const request = calls.saveCategories(JSON.stringify(list), details).then((response) => {
        if (requested === generation) setServerList(readCategoryList(response))
      })
      saving = request
      return request
    },

    /** Resets the store after a sign-out or a change of user. */
    clear: (): void => {
      generation += 1
      loading = null
      setState(EMPTY_STATE)
    },
  }
}
