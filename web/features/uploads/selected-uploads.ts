import type { TurnaroundStep, UploadSender, UploadState } from '../../../shared/uploads/upload-state-list.ts'

/** Uploads that were chosen on one screen for an operation on another: some rows, or all of a filter. */
export type SelectedUploads =
  | { ids: string[] }
  | {
      filter: {
        states: UploadState[]
        category: string | null
        institutionId: string | null
        mine: boolean
        since: string | null
        until: string | null
        unopened: boolean
        sender: UploadSender | null
        late: TurnaroundStep | null
        search: string
      }
    }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Not in the address, since a search may have a name. */
    selectedUploads?: SelectedUploads | undefined
  }
}
