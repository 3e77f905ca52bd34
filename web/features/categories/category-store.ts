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
  /** The edit buffer: a copy of the category that is being edited, or a new one [4.8]; null where none is. */
  edited: Category | null
  /** What somebody else has saved while something was unsaved here. Its ids are those of this page. */
  arrived: CategoryList | null
}

const EMPTY: CategoryState = { list: [], snapshot: [], version: 0, edited: null, arrived: null }

export type CategoryStore = ReturnType<typeof createCategoryStore>

/** Whether there is anything to save [4.7]. */
export const isChanged = ({ list, snapshot }: CategoryState): boolean => !isSameList(list, snapshot)

/** Whether a slug is somebody else's, also where they have left it here and it is not saved yet: its uploads are theirs. */
export const isSlugTaken = (
  { list, snapshot }: Pick<CategoryState, 'list' | 'snapshot'>,
  slug: string,
  id: string | null,
): boolean => [...list, ...snapshot].some((other) => other.slug === slug && other.id !== id)

/** The categories of one signed-in person's page, shared by all of its screens. */
export function createCategoryStore(calls: CategoryCalls) {
  let state = EMPTY
  let loading: Promise<void> | null = null
  let saving: Promise<void> | null = null
  /** Counts the people: what was asked for one is not kept for the next. */
  let reader = 0
  const listeners = new Set<() => void>()

  const setState = (change: Partial<CategoryState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const take = ({ tree, version }: CategoryList) =>
    setState({ list: tree, snapshot: tree, version, arrived: null })
  const ask = async (receive: (json: string) => void) => {
    const askedFor = reader
    try {
      const json = await calls.getCategories()
      if (askedFor === reader) receive(json)
    } catch (error) {
      if (askedFor === reader) console.warn('categories cannot be loaded', error)
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
     * Asks for the list where there is none yet and nobody has asked [4.11]. Never rejects: a failure is logged and
     * otherwise ignored [8.11], and whoever comes next asks again.
     */
    load: (): Promise<void> => {
      if (state.version > 0) return Promise.resolve()
      if (loading) return loading
      const request = ask((json) => take(readCategoryList(json))).finally(() => {
        if (loading === request) loading = null
      })
      loading = request
      return request
    },

    /**
     * Asks again, after somebody has saved. Their list is shown; where something is unsaved here, it is kept beside as what
     * has arrived, and nothing of either is overwritten. Fails as `load` does.
     */
    refresh: async (): Promise<void> => {
      // One's own saving is told of too, maybe before its answer is there.
      await Promise.allSettled([loading, saving])
      if (state.version === 0) return
      await ask((json) => {
        const list = readCategoryList(json)
        if (list.version <= (state.arrived ?? state).version) return
        if (!isChanged(state) && !state.edited) return take(list)
        const tree = reconcileIds(state.snapshot, state.list, list.tree, list.moved)
        setState({ arrived: { ...list, tree } })
      })
    },

    /** Puts an edited list in the place of the one shown; the snapshot stays. */
    change,

    /** Copies a category into the edit buffer [4.8]. */
    edit: (category: Category): void => setState({ edited: { ...category } }),
    /** Puts a new category into it, under the slug or on the top level [4.9]. */
    addChild: (parent: string | null): void => setState({ edited: draftCategory(parent) }),
    /** What is filled in, in the buffer alone. */
    fill: (values: Partial<Omit<Category, 'id'>>): void => {
      if (state.edited) setState({ edited: { ...state.edited, ...values } })
    },
    /** Brings the buffer into the list and clears it; does nothing where nothing is edited [4.8]. */
    saveEdit: (): void => {
      const { edited, list } = state
      if (edited) setState({ list: withEdited(list, edited, crypto.randomUUID()), edited: null })
    },
    cancelEdit: (): void => setState({ edited: null }),

    /** Takes a category out of the list, with all that stands under it. */
    remove: (slug: string): void => change(withoutSubtree(state.list, slug)),
    /** Puts a category elsewhere, with all that stands under it; leaves it where it may not stand there. */
    move,
    /** One place further up or down among its siblings. */
    moveStep: (slug: string, step: -1 | 1): void => {
      const place = neighbourPlace(state.list, slug, step)
      if (place) move(slug, place)
    },

    /** Gives up what is not saved: what the server last answered is shown. */
    discard: (): void => {
      const { arrived, snapshot } = state
      if (arrived) take(arrived)
      setState({ edited: null, ...(arrived ? {} : { list: snapshot }) })
    },

    /** What becomes of the list with what has arrived; null where nothing has. */
    previewMerge: (choices?: ReadonlyMap<string, Choice>): Merge | null =>
      state.arrived && mergeCategories(state.snapshot, state.list, state.arrived.tree, choices),
    /** Takes what has arrived for the snapshot, and what becomes of the two for the list. */
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
     * Sends the whole flat list with the version that it began with, and takes list and snapshot from the answer [4.10].
     * `moves`: where the uploads of slugs that leave the list go. Rejects with the server's refusal (CONFLICT: somebody
     * else has saved meanwhile), the list left as it is.
     */
    saveAll: (moves?: SlugMoves): Promise<void> => {
      const savedFor = reader
      const input = JSON.stringify({ tree: state.list, version: state.version, ...(moves && { moves }) })
      const request = calls.saveCategories(input).then((json) => {
        if (savedFor === reader) take(readCategoryList(json))
      })
      saving = request
      return request
    },

    /** Forgets everything: the person has left. */
    clear: (): void => {
      reader += 1
      loading = null
      setState(EMPTY)
    },
  }
}
