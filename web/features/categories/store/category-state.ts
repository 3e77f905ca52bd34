import type { Category } from '../../../../shared/uploads/categories.ts'
import { isSameList, type LoadedList } from './category-list.ts'

export type CategoryState = {
  /** The list that the screens show, flat and in display order. */
  list: readonly Category[]
  /** The last list of the server [4.7]. */
  snapshot: readonly Category[]
  /**
   * The version of the snapshot; 0 before the first load, a version that no list of the server has; null if the
   * server counts no versions.
   */
  version: number | null
  /** The edit buffer: a copy of the edited category, or a new category [4.8]; null if nothing is edited. */
  edited: Category | null
  /**
   * The list that another user has saved while this page has unsaved changes, with the ids of this page; null
   * if there is none.
   */
  arrived: LoadedList | null
}

export const EMPTY_STATE: CategoryState = { list: [], snapshot: [], version: 0, edited: null, arrived: null }

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

/** Keeps the state and notifies listeners of its changes. */
export function createStateHolder() {
  let state = EMPTY_STATE
  const listeners = new Set<() => void>()
  const setState = (change: Partial<CategoryState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  return {
    getState: (): CategoryState => state,
    setState,
    /** Makes a list of the server both the snapshot and the list; the edit buffer stays. */
    setServerList: ({ tree, version }: LoadedList): void =>
      setState({ list: tree, snapshot: tree, version, arrived: null }),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
export type StateHolder = ReturnType<typeof createStateHolder>
