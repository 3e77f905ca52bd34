import { createStateHolder, isChanged } from './category-state.ts'
import { editActions } from './edit-actions.ts'
import { mergeActions } from './merge-actions.ts'
import { type CategoryCalls, serverActions } from './server-actions.ts'

/** Creates the store of the signed-in user's categories, shared by all screens. */
export function createCategoryStore(calls: CategoryCalls) {
  const holder = createStateHolder()
  const { getState, subscribe } = holder
  return {
    getState,
    subscribe,
    /** Whether there is anything to save [4.7]. */
    isChanged: (): boolean => isChanged(getState()),
    ...editActions(holder),
    ...serverActions(holder, calls),
    ...mergeActions(holder),
  }
}
export type CategoryStore = ReturnType<typeof createCategoryStore>
