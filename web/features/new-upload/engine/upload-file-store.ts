import type { NewUploadFile } from './new-upload-file.ts'

export type UploadFileStore = ReturnType<typeof createUploadFileStore>

/** The chosen files as an external store of React: each change makes a new array and calls the listeners. */
export function createUploadFileStore() {
  let files: readonly NewUploadFile[] = []
  const listeners = new Set<() => void>()

  function publish(next: readonly NewUploadFile[]): void {
    files = next
    for (const listener of listeners) listener()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getFiles: () => files,
    find: (id: string) => files.find((file) => file.id === id),
    add: (added: readonly NewUploadFile[]) => publish([...files, ...added]),
    /** Also sets `changedAt`, with no changes too. */
    change: (id: string, changes: Partial<NewUploadFile>) => {
      const changedAt = Date.now()
      publish(files.map((file) => (file.id === id ? { ...file, ...changes, changedAt } : file)))
    },
    remove: (id: string) => publish(files.filter((file) => file.id !== id)),
    clear: () => {
      if (files.length > 0) publish([])
    },
  }
}
