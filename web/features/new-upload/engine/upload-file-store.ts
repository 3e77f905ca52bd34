import { promoteDuplicates } from './duplicates.ts'
import type { NewUploadFile } from './new-upload-file.ts'
import { createStore } from './store.ts'

export type UploadFileStore = ReturnType<typeof createUploadFileStore>

/**
 * The chosen files; each change makes a new array. A duplicate takes the place of its original in the same
 * change that removes it, so that the list never seems complete in between.
 */
export function createUploadFileStore() {
  const { get, set, subscribe } = createStore<readonly NewUploadFile[]>([])
  const publish = (files: readonly NewUploadFile[]) => set(promoteDuplicates(files))
  return {
    subscribe,
    getFiles: get,
    find: (id: string) => get().find((file) => file.id === id),
    add: (added: readonly NewUploadFile[]) => publish([...get(), ...added]),
    /** Also sets `changedAt`, with no changes too. */
    change: (id: string, changes: Partial<NewUploadFile>) => {
      const changedAt = Date.now()
      publish(get().map((file) => (file.id === id ? { ...file, ...changes, changedAt } : file)))
    },
    remove: (id: string) => publish(get().filter((file) => file.id !== id)),
    /** Takes files out in one change, so that none of their copies takes their place. */
    removeAll: (isRemoved: (file: NewUploadFile) => boolean) =>
      publish(get().filter((file) => !isRemoved(file))),
    clear: () => {
      if (get().length > 0) publish([])
    },
  }
}
