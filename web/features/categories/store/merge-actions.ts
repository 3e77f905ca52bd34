import { type Choice, type Merge, mergeCategories } from '../merge/category-merge.ts'
import type { StateHolder } from './category-state.ts'

/** The actions that merge unsaved changes with the last list of the server, or discard them. */
export function mergeActions({ getState, setState, setServerList }: StateHolder) {
  return {
    /** Returns the merge of the list with the arrived list; null if none has arrived. */
    previewMerge: (choices?: ReadonlyMap<string, Choice>): Merge | null => {
      const { arrived, snapshot, list } = getState()
      return arrived && mergeCategories(snapshot, list, arrived.tree, choices)
    },
    /** Makes the arrived list the snapshot and the merged list the list. */
    merge: (choices?: ReadonlyMap<string, Choice>): void => {
      const { arrived, snapshot, list } = getState()
      if (!arrived) return
      const { tree, version } = arrived
      const merged = mergeCategories(snapshot, list, tree, choices).list
      setState({ list: merged, snapshot: tree, version, arrived: null })
    },

    /** Discards unsaved changes and shows the last list of the server. */
    discard: (): void => {
      const { arrived, snapshot } = getState()
      if (arrived) setServerList(arrived)
      setState({ edited: null, ...(arrived ? {} : { list: snapshot }) })
    },
  }
}
