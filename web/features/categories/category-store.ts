import type { Category, CategoryList, SlugMoves } from '../../../shared/uploads/categories.ts'
import {
  draftCategory,
  neighbourPlace,
  type TreePlace,
  withEdited,
  withMoved,
  withoutSubtree,
} from './category-edits.ts'
import { isSameList, readCategoryList } from './category-list.ts'
import { type Choice, type Merge, mergeCategories, reconcileIds } from './merge/category-merge.ts'

/** The two calls of the specification [7.10][7.11]; each resolves to its JSON string. */
export type CategoryCalls = {
  getCategories(): Promise<string>
  saveCategories(input: string): Promise<string>
}

export type CategoryState = {
  /** The list that the screens show, flat and in display order. */
  list: readonly Category[]
  /** The last list of the server [4.7]. */
  snapshot: readonly Category[]
  /** The version of the snapshot; 0 before the first load, a version that no list of the server has. */
  version: number
  /** The edit buffer: a copy of the edited category, or a new category [4.8]; null if nothing is edited. */
  edited: Category | null
  /**
   * The list that another user has saved while this page has unsaved changes, with the ids of this page; null
   * if there is none.
   */
  arrived: CategoryList | null
}

const EMPTY: CategoryState = { list: [], snapshot: [], version: 0, edited: null, arrived: null }

export type CategoryStore = ReturnType<typeof createCategoryStore>

/** Whether there is anything to save [4.7]. */
export const isChanged = ({ list, snapshot }: CategoryState): boolean => !isSameList(list, snapshot)

/**
 * Whether a slug belongs to another category, also if that category has given up the slug but is not saved
 * yet: the slug's uploads belong to it.
 */
export const isSlugTaken = (
  { list, snapshot }: Pick<CategoryState, 'list' | 'snapshot'>,
  slug: string,
  id: string | null,
): boolean => [...list, ...snapshot].some((other) => other.slug === slug && other.id !== id)

/** Creates the store of the signed-in user's categories, shared by all screens. */
export function createCategoryStore(calls: CategoryCalls) {
  let state = EMPTY
  let loading: Promise<void> | null = null
  let saving: Promise<void> | null = null
  /** Grows with every user: a response to a request of an earlier user is discarded. */
  let generation = 0
  const listeners = new Set<() => void>()

  const setState = (change: Partial<CategoryState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const applyServerList = ({ tree, version }: CategoryList) =>
    setState({ list: tree, snapshot: tree, version, arrived: null })
  const fetchList = async (receive: (json: string) => void) => {
    const requested = generation
    try {
      const json = await calls.getCategories()
      if (requested === generation) receive(json)
    } catch (error) {
      if (requested === generation) console.warn('categories cannot be loaded', error)
    }
  }
  const change = (list: readonly Category[]): void => setState({ list })
  const move = (slug: string, place: TreePlace): void => {
    const id = state.list.find((each) => each.slug === slug)?.id ?? null
    change(withMoved(state.list, slug, place, (taken) => isSlugTaken(state, taken, id)))
  }

  return {
    getState: (): CategoryState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /**
     * Loads the list if it is neither loaded nor loading [4.11]. Never rejects: a failure is only logged
     * [8.11], and the next call repeats the request.
     */
    load: (): Promise<void> => {
      if (state.version > 0) return Promise.resolve()
      if (loading) return loading
      const request = fetchList((json) => applyServerList(readCategoryList(json))).finally(() => {
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
      if (state.version === 0) return
      await fetchList((json) => {
        const list = readCategoryList(json)
        if (list.version <= (state.arrived ?? state).version) return
        if (!isChanged(state) && !state.edited) return applyServerList(list)
        const tree = reconcileIds(state.snapshot, state.list, list.tree, list.moved)
        setState({ arrived: { ...list, tree } })
      })
    },

    /** Replaces the list; the snapshot stays. */
    change,

    /** Copies a category into the edit buffer [4.8]. */
    edit: (category: Category): void => setState({ edited: { ...category } }),
    /** Puts a new category into the edit buffer, under the slug or on the top level [4.9]. */
    addChild: (parent: string | null): void => setState({ edited: draftCategory(parent) }),
    /** Changes properties of the edit buffer alone. */
    fill: (values: Partial<Omit<Category, 'id'>>): void => {
      if (state.edited) setState({ edited: { ...state.edited, ...values } })
    },
    /** Applies the edit buffer to the list and clears the buffer; does nothing if nothing is edited [4.8]. */
    saveEdit: (): void => {
      const { edited, list } = state
      if (edited) setState({ list: withEdited(list, edited, crypto.randomUUID()), edited: null })
    },
    cancelEdit: (): void => setState({ edited: null }),

    /** Removes a category and its descendants from the list. */
    remove: (slug: string): void => change(withoutSubtree(state.list, slug)),
    /** Moves a category and its descendants; does nothing if the move is not allowed. */
    move,
    /** Moves a category one place up or down among its siblings. */
    moveStep: (slug: string, step: -1 | 1): void => {
      const place = neighbourPlace(state.list, slug, step)
      if (place) move(slug, place)
    },

    /** Discards unsaved changes and shows the last list of the server. */
    discard: (): void => {
      const { arrived, snapshot } = state
      if (arrived) applyServerList(arrived)
      setState({ edited: null, ...(arrived ? {} : { list: snapshot }) })
    },

    /** Returns the merge of the list with the arrived list; null if none has arrived. */
    previewMerge: (choices?: ReadonlyMap<string, Choice>): Merge | null =>
      state.arrived && mergeCategories(state.snapshot, state.list, state.arrived.tree, choices),
    /** Makes the arrived list the snapshot and the merged list the list. */
    merge: (choices?: ReadonlyMap<string, Choice>): void => {
      const { arrived, snapshot, list } = state
      if (!arrived) return
      const { tree, version } = arrived
      const merged = mergeCategories(snapshot, list, tree, choices).list
      setState({ list: merged, snapshot: tree, version, arrived: null })
    },

    /** Whether there is anything to save [4.7]. */
    isChanged: (): boolean => isChanged(state),

    /**
     * Saves the whole flat list with the version it is based on, and takes list and snapshot from the
     * response [4.10]. `moves` says where the uploads of removed slugs go. Rejects with the server's error
     * (CONFLICT: another user has saved meanwhile) and keeps the list.
     */
    saveAll: (moves?: SlugMoves): Promise<void> => {
      const requested = generation
      const input = JSON.stringify({ tree: state.list, version: state.version, ...(moves && { moves }) })
      const request = calls.saveCategories(input).then((json) => {
        if (requested === generation) applyServerList(readCategoryList(json))
      })
      saving = request
      return request
    },

    /** Resets the store after a sign-out or a change of user. */
    clear: (): void => {
      generation += 1
      loading = null
      setState(EMPTY)
    },
  }
}
