import type { Category } from '../../../../shared/uploads/categories.ts'
import {
  draftCategory,
  neighbourPlace,
  type TreePlace,
  withEdited,
  withMoved,
  withoutSubtree,
} from '../category-edits.ts'
import { isSlugTaken, type StateHolder } from './category-state.ts'

/** The actions that change the list or the edit buffer on this page only; the snapshot stays. */
export function editActions({ getState, setState }: StateHolder) {
  const change = (list: readonly Category[]): void => setState({ list })
  const move = (slug: string, place: TreePlace): void => {
    const state = getState()
    const id = state.list.find((each) => each.slug === slug)?.id ?? null
    change(withMoved(state.list, slug, place, (taken) => isSlugTaken(state, taken, id)))
  }
  return {
    /** Replaces the list. */
    change,

    /** Copies a category into the edit buffer [4.8]. */
    edit: (category: Category): void => setState({ edited: { ...category } }),
    /** Puts a new category into the edit buffer, under the slug or on the top level [4.9]. */
    addChild: (parent: string | null): void => setState({ edited: draftCategory(parent) }),
    /** Changes properties of the edit buffer alone. */
    fill: (values: Partial<Omit<Category, 'id'>>): void => {
      const { edited } = getState()
      if (edited) setState({ edited: { ...edited, ...values } })
    },
    /** Applies the edit buffer to the list and clears the buffer; does nothing if nothing is edited [4.8]. */
    saveEdit: (): void => {
      const { edited, list } = getState()
      if (edited) setState({ list: withEdited(list, edited, crypto.randomUUID()), edited: null })
    },
    cancelEdit: (): void => setState({ edited: null }),

    /** Removes a category and its descendants from the list. */
    remove: (slug: string): void => change(withoutSubtree(getState().list, slug)),
    /** Moves a category and its descendants; does nothing if the move is not allowed. */
    move,
    /** Moves a category one place up or down among its siblings. */
    moveStep: (slug: string, step: -1 | 1): void => {
      const place = neighbourPlace(getState().list, slug, step)
      if (place) move(slug, place)
    },
  }
}
